package io.talosgateway.loadgen.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.talosgateway.loadgen.chart.Chart;
import io.talosgateway.loadgen.chart.Mark;
import io.talosgateway.loadgen.chart.Numbers;
import io.talosgateway.loadgen.chart.Series;
import io.talosgateway.loadgen.cli.LoadFailure;
import io.talosgateway.loadgen.cli.YamlFile;
import io.talosgateway.loadgen.measure.Kind;
import io.talosgateway.loadgen.measure.Quantile;

/**
 * A run by its {@code result.json}: what it was told, and its plots. Older results lack some fields.
 *
 * @param json the whole file
 */
public record RunResult(JsonNode json) {

    private static final ObjectMapper MAPPER = new ObjectMapper();

    /** Fields that say when it was, or what came of it. */
    private static final Set<String> NOT_TOLD = Set.of("topic", "startedAt", "failure", "cpuMicrosPerRequest");

    private static final Pattern NEXT_WORD = Pattern.compile("(?<=[a-z])[A-Z](?=[a-z]{2})");
    private static final String OF_GATEWAY = "gateway.";

    /** A plot of {@code experiments/run-plots.yaml}. */
    private record Plot(String title, boolean latency, Map<String, String> lines) {

        static final List<Plot> ALL =
                YamlFile.MAPPER.convertValue(YamlFile.read("run-plots").path("plots"), new TypeReference<>() {});
    }

    static RunResult of(Report report) {
        return new RunResult(MAPPER.valueToTree(report));
    }

    /**
     * Reads a run.
     *
     * @param path of its folder, or of the {@code result.json} in it
     * @throws LoadFailure with a sentence for the user
     */
    static RunResult read(Path path) {
        Path file = Files.isDirectory(path) ? path.resolve(ResultFolder.RESULT) : path;
        try {
            JsonNode result = MAPPER.readTree(Files.readAllBytes(file));
            LoadFailure.check(
                    Stream.of("put", "get").anyMatch(part -> result.path(part).isObject()),
                    file + " is not a result of 'talos-loadgen run'");
            return new RunResult(result);
        } catch (NoSuchFileException e) {
            throw new LoadFailure("There is no result " + file, e);
        } catch (JacksonException e) {
            throw new LoadFailure(file + " is not a result of 'talos-loadgen run': " + e.getOriginalMessage(), e);
        } catch (IOException e) {
            throw new LoadFailure(file + " cannot be read: " + e.getMessage(), e);
        }
    }

    /**
     * What the run was told, and where it was made, by the fields' names as words: {@code put threads}. Where runs were told different
     * things, they are different loads.
     */
    Map<String, String> told() {
        Map<String, String> told = new LinkedHashMap<>();
        for (String part : List.of("", "/load", "/environment")) {
            json.at(part).forEachEntry((name, value) -> {
                if (value.isValueNode() && !value.isNull() && !NOT_TOLD.contains(name)) {
                    told.put(words(name), text(name, value));
                }
            });
        }
        return told;
    }

    private static String words(String field) {
        return NEXT_WORD
                .matcher(field)
                .replaceAll(letter -> " " + letter.group().toLowerCase(Locale.ROOT));
    }

    private static String text(String field, JsonNode value) {
        if (!value.isNumber()) {
            return value.asText();
        }
        // What was planned, not to the millisecond what it took.
        return field.endsWith("econds") ? Long.toString(Math.round(value.asDouble())) : Numbers.tick(value.asDouble());
    }

    /** Latencies by percentile, a line of a chart; empty if no request of the kind was timed. */
    public Optional<Series> percentiles(Kind kind, String name, String style) {
        JsonNode total = json.path(kind.text());
        List<Quantile> distribution = MAPPER.convertValue(total.path("distribution"), new TypeReference<>() {});
        return distribution == null || distribution.isEmpty()
                ? Optional.empty()
                : Optional.of(Quantile.line(
                        name, style, distribution, total.path("count").asLong()));
    }

    List<Chart> charts() {
        List<Chart> charts = new ArrayList<>();
        List<Series> percentiles = Stream.of(Kind.values())
                .flatMap(kind -> percentiles(kind, kind.text(), kind.text()).stream())
                .toList();
        if (!percentiles.isEmpty()) {
            charts.add(Chart.percentiles("Latency by percentile, ms", percentiles));
        }
        for (Plot plot : Plot.ALL) {
            overTime(plot.title, plot.latency, plot.lines, List.of()).ifPresent(charts::add);
        }
        return charts;
    }

    /**
     * A plot over the time that counts; empty without lines.
     *
     * @param latency whether the fields are latencies, on a logarithmic scale
     * @param fields of each second, by the names of the lines
     * @param more marks besides those of what the run knows of
     */
    public Optional<Chart> overTime(String title, boolean latency, Map<String, String> fields, List<Mark> more) {
        List<Series> lines = new ArrayList<>();
        fields.forEach((name, field) -> {
            List<Series.Point> points = points(field);
            if (points.stream()
                    .anyMatch(point -> Double.isFinite(point.y()) && (point.y() > 0 || !isOfErrors(field)))) {
                lines.add(new Series(name, Series.style(lines.size()), points));
            }
        });
        if (lines.isEmpty()) {
            return Optional.empty();
        }
        List<Mark> marks = new ArrayList<>(more);
        if (latency) {
            marks.addAll(marks(fields.values().iterator().next().split("\\.", 2)[0]));
        }
        return Optional.of(Chart.overTime(title, latency, lines, marks));
    }

    private static boolean isOfErrors(String field) {
        return field.endsWith(".errors");
    }

    /** A field of all seconds, each at its end; not a number where there is none. */
    public List<Series.Point> points(String field) {
        boolean ofGateway = field.startsWith(OF_GATEWAY);
        String path = "/" + field.substring(ofGateway ? OF_GATEWAY.length() : 0).replace('.', '/');
        return json.path(ofGateway ? "server" : "timeline")
                .valueStream()
                .filter(second -> endOf(second) > 0)
                .map(second -> new Series.Point(endOf(second), number(second.at(path))))
                .toList();
    }

    /** When the last second ended, since the end of the warm-up. */
    public double seconds() {
        JsonNode timeline = json.path("timeline");
        return endOf(timeline.path(timeline.size() - 1));
    }

    private static double endOf(JsonNode second) {
        return second.path("atSeconds").asDouble() + second.path("seconds").asDouble();
    }

    /** Of counts by kind, their sum. */
    private static double number(JsonNode value) {
        return value.isObject()
                ? value.valueStream().mapToLong(JsonNode::asLong).sum()
                : value.asDouble(Double.NaN);
    }

    /** What may have made requests slow: pauses of either side; and seconds in which some of a kind failed. */
    private List<Mark> marks(String kind) {
        List<Mark> marks = new ArrayList<>();
        json.path("gcPauses").forEach(pause -> {
            double at = pause.path("atSeconds").asDouble();
            double until = at + pause.path("ms").asDouble() / 1000;
            marks.add(new Mark("GC pause of the load generator", "gc", Mark.Shape.BAND, at, until));
        });
        for (Series.Point gc : points(OF_GATEWAY + "gcMs")) {
            if (gc.y() > 0) {
                marks.add(new Mark(
                        "GC of the gateway, all of a second as one",
                        "servergc",
                        Mark.Shape.BAND,
                        gc.x() - gc.y() / 1000,
                        gc.x()));
            }
        }
        for (Series.Point errors : points(kind + ".errors")) {
            if (errors.y() > 0) {
                marks.add(new Mark("errors", "error", Mark.Shape.FLAG, errors.x() - 1, errors.x()));
            }
        }
        return marks;
    }
}
