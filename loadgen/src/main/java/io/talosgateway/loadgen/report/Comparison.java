package io.talosgateway.loadgen.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleBiFunction;
import java.util.stream.Stream;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.talosgateway.loadgen.chart.Chart;
import io.talosgateway.loadgen.chart.Numbers;
import io.talosgateway.loadgen.chart.Page;
import io.talosgateway.loadgen.chart.Series;
import io.talosgateway.loadgen.chart.Table;
import io.talosgateway.loadgen.chart.Table.Cell;
import io.talosgateway.loadgen.cli.LoadFailure;
import io.talosgateway.loadgen.measure.Better;
import io.talosgateway.loadgen.measure.Kind;
import io.talosgateway.loadgen.measure.Quantile;

/**
 * Runs side by side. The first, A, is what the others are compared with. Older results lack some fields.
 *
 * @param names of the runs, as the user named them
 * @param results their {@code result.json}
 */
record Comparison(List<String> names, List<JsonNode> results) {

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final String NONE = "-";
    /** Smaller differences between single runs are mostly noise, and are not coloured. */
    private static final double NOISE = 0.05;

    private static final double BYTES_PER_MB = 1e6;

    /** What runs are compared by: of a result and {@code put} or {@code get}; not a number if the run does not have it. */
    private record Measure(String text, Better better, int decimals, ToDoubleBiFunction<JsonNode, String> value) {

        /** No answer, no latency. */
        static Measure latency(String text, String field) {
            return new Measure(text, Better.LESS, 3, (run, kind) -> {
                double ms = number(run.path(kind).path(field));
                return ms == 0 ? Double.NaN : ms;
            });
        }

        double of(JsonNode run, Kind kind) {
            return run.has(kind.text()) ? value.applyAsDouble(run, kind.text()) : Double.NaN;
        }
    }

    /** From the most interesting on. */
    private static final List<Measure> MEASURES = List.of(
            new Measure(
                    "per s",
                    Better.MORE,
                    1,
                    (run, kind) -> number(run.path(kind).path("perSecond"))),
            new Measure(
                    "MB/s",
                    Better.MORE,
                    1,
                    (run, kind) -> number(run.path(kind).path("bytesPerSecond")) / BYTES_PER_MB),
            Measure.latency("mean ms", "meanMs"),
            Measure.latency("P50 ms", "p50Ms"),
            Measure.latency("P75 ms", "p75Ms"),
            Measure.latency("P90 ms", "p90Ms"),
            Measure.latency("P99 ms", "p99Ms"),
            Measure.latency("P99.9 ms", "p999Ms"),
            Measure.latency("max ms", "maxMs"),
            new Measure(
                    "errors",
                    Better.LESS,
                    0,
                    (run, kind) -> number(run.path(kind).path("errors"))),
            new Measure("queue ms", Better.LESS, 3, (run, kind) -> mean(run, kind + "QueueMs")),
            new Measure("storage ms", Better.LESS, 3, (run, kind) -> ofPuts(kind, mean(run, "storageMs"))),
            new Measure("storage %", Better.NEITHER, 1, (run, kind) -> ofPuts(kind, 100 * mean(run, "storageShare"))),
            new Measure(
                    "gateway GC ms",
                    Better.LESS,
                    0,
                    (run, kind) -> ofPuts(
                            kind, mean(run, "gcMs") * ofServer(run, "gcMs").count())));

    /**
     * Something that a run was told. Where runs were told different things, they are different loads.
     *
     * @param field a JSON pointer
     * @param otherwise what it is in results without the field
     */
    private record Told(String text, String field, String otherwise) {

        String of(JsonNode run) {
            JsonNode value = run.at(field);
            if (!value.isNumber()) {
                return value.asText(otherwise);
            }
            // What was planned, not to the millisecond what it took.
            return field.endsWith("econds")
                    ? Long.toString(Math.round(value.asDouble()))
                    : Numbers.tick(value.asDouble());
        }
    }

    private static final List<Told> TOLD = List.of(
            new Told("endpoint", "/endpoint", ""),
            new Told("partitions", "/partitions", ""),
            new Told("put threads", "/putThreads", ""),
            new Told("get threads", "/getThreads", ""),
            new Told("processes", "/load/processes", "1"),
            new Told("I/O threads", "/load/ioThreads", "one for each client"),
            new Told("puts a second", "/putRate", NONE),
            new Told("puts/s of a thread", "/load/putRatePerThread", NONE),
            new Told("gets a second", "/load/getRate", NONE),
            new Told("gets/s of a thread", "/load/getRatePerThread", NONE),
            new Told("bytes of a message", "/sizeBytes", ""),
            new Told("sizes", "/load/sizes", NONE),
            new Told("messages of a put", "/load/batch", "1"),
            new Told("keys of messages", "/load/keys", "0"),
            new Told("compression", "/load/compression", "none"),
            new Told("format", "/load/format", NONE),
            new Told("TLS", "/load/tls", "false"),
            new Told("new connections", "/load/newConnections", "false"),
            new Told("idempotency keys", "/idempotencyKeys", ""),
            new Told("seconds", "/seconds", ""),
            new Told("seconds of warm-up", "/warmupSeconds", ""),
            new Told("interrupted", "/interrupted", ""),
            new Told("host", "/environment/host", "unknown"),
            new Told("processors", "/environment/processors", "unknown"));

    /**
     * Reads runs.
     *
     * @param paths of their folders, or of the {@code result.json} in them
     * @throws LoadFailure with a sentence for the user
     */
    static Comparison read(List<Path> paths) {
        return new Comparison(
                paths.stream().map(Path::toString).toList(),
                paths.stream().map(Comparison::result).toList());
    }

    private static JsonNode result(Path path) {
        Path file = Files.isDirectory(path) ? path.resolve(ResultFolder.RESULT) : path;
        try {
            JsonNode result = MAPPER.readTree(Files.readAllBytes(file));
            LoadFailure.check(
                    result.path("put").isObject() || result.path("get").isObject(),
                    file + " is not a result of 'talos-loadgen run'");
            return result;
        } catch (NoSuchFileException e) {
            throw new LoadFailure("There is no result " + file, e);
        } catch (JacksonException e) {
            throw new LoadFailure(file + " is not a result of 'talos-loadgen run': " + e.getOriginalMessage(), e);
        } catch (IOException e) {
            throw new LoadFailure(file + " cannot be read: " + e.getMessage(), e);
        }
    }

    private static double number(JsonNode node) {
        return node.asDouble(Double.NaN);
    }

    private static Stream<JsonNode> ofServer(JsonNode run, String field) {
        return run.path("server")
                .valueStream()
                .map(second -> second.path(field))
                .filter(JsonNode::isNumber);
    }

    /** Over the seconds. */
    private static double mean(JsonNode run, String field) {
        return ofServer(run, field).mapToDouble(JsonNode::asDouble).average().orElse(Double.NaN);
    }

    /** What the gateway has only of puts. */
    private static double ofPuts(String kind, double value) {
        return kind.equals(Kind.PUT.text()) ? value : Double.NaN;
    }

    /** The name of a run in a table: A, B, and so on. */
    private static String letter(int run) {
        return run < 26 ? String.valueOf((char) ('A' + run)) : "#" + (run + 1);
    }

    /** A row for each measure that a run has, with the ratios to the first run. */
    Table measures() {
        List<String> head = new ArrayList<>(List.of(""));
        for (int run = 0; run < names.size(); run++) {
            head.add(letter(run));
            if (run > 0) {
                head.add(letter(run) + "/A");
            }
        }
        Table table = new Table("Side by side", "lr", head);
        for (Kind kind : Kind.values()) {
            for (Measure measure : MEASURES) {
                double[] values = results.stream()
                        .mapToDouble(run -> measure.of(run, kind))
                        .toArray();
                if (Arrays.stream(values).anyMatch(Double::isFinite)) {
                    table.addCells(row(kind, measure, values));
                }
            }
        }
        return table;
    }

    private static List<Cell> row(Kind kind, Measure measure, double[] values) {
        List<Cell> row = new ArrayList<>();
        row.add(new Cell(kind.text() + " " + measure.text, "text"));
        for (int run = 0; run < values.length; run++) {
            row.add(new Cell(text(values[run], measure.decimals), ""));
            if (run > 0) {
                double ratio = values[run] / values[0];
                row.add(new Cell(text(ratio, 2), verdict(ratio, measure.better)));
            }
        }
        return row;
    }

    private static String text(double value, int decimals) {
        return Double.isFinite(value) ? String.format(Locale.ROOT, "%,." + decimals + "f", value) : NONE;
    }

    /** A class of the page's styles. */
    private static String verdict(double ratio, Better better) {
        if (!Double.isFinite(ratio) || better == Better.NEITHER || Math.abs(ratio - 1) <= NOISE) {
            return "";
        }
        return better.holds(ratio) ? "better" : "worse";
    }

    /** What the runs were told differently; with any, ratios may say nothing. */
    Table differences() {
        List<String> head = new ArrayList<>(List.of(""));
        for (int run = 0; run < names.size(); run++) {
            head.add(letter(run));
        }
        Table table = new Table("The runs are not alike", "lr", head);
        for (Told told : TOLD) {
            List<String> row = new ArrayList<>(List.of(told.text));
            results.forEach(run -> row.add(told.of(run)));
            if (row.stream().skip(1).distinct().count() > 1) {
                table.add(row);
            }
        }
        return table;
    }

    /** For people to read on a terminal. */
    String text() {
        StringBuilder text = new StringBuilder();
        for (int run = 0; run < names.size(); run++) {
            text.append(letter(run)).append("  ").append(names.get(run)).append('\n');
        }
        text.append('\n').append(measures().toText());
        Table differences = differences();
        if (!differences.rows().isEmpty()) {
            text.append('\n').append(differences.title()).append(":\n").append(differences.toText());
        }
        return text.toString();
    }

    /** A page with plots, which needs nothing but itself. */
    String page() {
        String title = "Comparison of " + names.size() + " runs";
        Page page = new Page(title);
        page.element("h1", title);
        Table runs = new Table("", "rl", List.of("", "run", "begun at", "gateway"));
        for (int run = 0; run < names.size(); run++) {
            JsonNode result = results.get(run);
            runs.add(
                    letter(run),
                    names.get(run),
                    result.path("startedAt").asText("unknown"),
                    result.path("endpoint").asText());
        }
        page.add(runs);
        Table differences = differences();
        if (!differences.rows().isEmpty()) {
            page.add(differences);
        }
        for (Kind kind : Kind.values()) {
            List<Series> series = percentiles(kind);
            if (!series.isEmpty()) {
                page.add(Chart.percentiles("Latency of %ss by percentile, ms".formatted(kind.text()), series));
            }
        }
        page.add(measures());
        page.element("p", "Ratios are to A. Coloured where they differ from 1 by more than a twentieth.");
        return page.toHtml();
    }

    private List<Series> percentiles(Kind kind) {
        List<Series> series = new ArrayList<>();
        for (int run = 0; run < names.size(); run++) {
            JsonNode total = results.get(run).path(kind.text());
            if (!total.path("distribution").isEmpty()) {
                series.add(Quantile.line(
                        letter(run) + "  " + names.get(run),
                        Series.style(run),
                        MAPPER.convertValue(total.path("distribution"), new TypeReference<List<Quantile>>() {}),
                        total.path("count").asLong()));
            }
        }
        return series;
    }
}
