package io.talosgateway.loadgen.experiment;

import java.util.ArrayList;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;
import io.talosgateway.loadgen.chart.AxisScale;
import io.talosgateway.loadgen.chart.LatencyScale;
import io.talosgateway.loadgen.chart.LineChart;
import io.talosgateway.loadgen.chart.LinearScale;
import io.talosgateway.loadgen.chart.Mark;
import io.talosgateway.loadgen.chart.Series;
import io.talosgateway.loadgen.experiment.engine.Measurement;
import io.talosgateway.loadgen.experiment.engine.PercentileCharts;
import io.talosgateway.loadgen.experiment.engine.Results;
import io.talosgateway.loadgen.experiment.engine.Trial;

/** What the first client of a run saw, second by second. Stateless. */
final class TimeCharts {

    private static final String X_LABEL = "seconds since the producer began";

    private TimeCharts() {}

    /** A line of a chart: a field of the seconds. */
    record Field(String title, String name, String style) {}

    /**
     * A field of all trials under a load, a line for each variant; of the last round.
     *
     * @param title with {@code %s} for the load
     */
    static List<LineChart> ofLoads(Results results, String title, String field, boolean latency) {
        List<LineChart> charts = new ArrayList<>();
        for (String load : results.loads()) {
            List<Series> series = new ArrayList<>();
            for (Trial trial : results.under(load)) {
                last(results, trial, series, field);
            }
            if (!series.isEmpty()) {
                charts.add(chart(title.formatted(load), series, List.of(), latency));
            }
        }
        return charts;
    }

    private static void last(Results results, Trial trial, List<Series> series, String field) {
        List<Measurement> runs = results.of(trial);
        if (!runs.isEmpty()) {
            Measurement run = runs.get(runs.size() - 1);
            series.add(new Series(trial.variant(), PercentileCharts.style(series.size()), points(run, field)));
        }
    }

    /** Fields of one run, with the pauses of its gateway's garbage collector. */
    static LineChart ofRun(Measurement run, String title, List<Field> fields, boolean latency) {
        List<Series> series = fields.stream()
                .map(field -> new Series(field.title(), field.style(), points(run, field.name())))
                .toList();
        return chart(title, series, pauses(run), latency);
    }

    private static List<Series.Point> points(Measurement run, String field) {
        List<Series.Point> points = new ArrayList<>();
        for (JsonNode second : client(run).path("seconds")) {
            points.add(new Series.Point(
                    second.path("atSeconds").asDouble(), second.path(field).asDouble()));
        }
        return points;
    }

    private static JsonNode client(Measurement run) {
        return run.clients().get(0);
    }

    private static List<Mark> pauses(Measurement run) {
        double fromMs = client(run).path("countsFromMs").asDouble();
        double seconds = lastSecond(run);
        return run.pauses().stream()
                .filter(pause -> pause.endMs() >= fromMs && pause.startMs() <= fromMs + 1000 * seconds)
                .map(pause -> new Mark(
                        pause.isFull() ? "full collection" : "GC pause",
                        pause.isFull() ? "error" : "servergc",
                        Mark.Shape.BAND,
                        Math.max(0, (pause.startMs() - fromMs) / 1000),
                        (pause.endMs() - fromMs) / 1000))
                .toList();
    }

    private static double lastSecond(Measurement run) {
        JsonNode seconds = client(run).path("seconds");
        return seconds.isEmpty()
                ? 0
                : seconds.get(seconds.size() - 1).path("atSeconds").asDouble();
    }

    private static LineChart chart(String title, List<Series> series, List<Mark> marks, boolean latency) {
        List<Double> values = series.stream()
                .flatMap(line -> line.points().stream())
                .map(Series.Point::y)
                .filter(Double::isFinite)
                .toList();
        double end = series.stream()
                .flatMap(line -> line.points().stream())
                .mapToDouble(Series.Point::x)
                .max()
                .orElse(1);
        double greatest = values.stream().mapToDouble(Double::doubleValue).max().orElse(1);
        AxisScale y = latency ? LatencyScale.of(values) : LinearScale.upTo(greatest);
        return new LineChart(title, X_LABEL, LinearScale.exactlyTo(end), y, series, marks, List.of());
    }
}
