package io.talosgateway.loadgen.experiment;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import io.talosgateway.loadgen.chart.Chart;
import io.talosgateway.loadgen.chart.Chart.Axis;
import io.talosgateway.loadgen.chart.Mark;
import io.talosgateway.loadgen.chart.Series;
import io.talosgateway.loadgen.measure.Kind;
import io.talosgateway.loadgen.measure.Metric;
import org.jspecify.annotations.Nullable;

/**
 * What to draw: a measure over what was varied ({@code sweep}), or fields of the seconds of each variant of one load ({@code
 * lines}).
 *
 * @param title above it
 * @param sweep the measure; null if it is not a sweep
 * @param x what was varied, in a sweep
 * @param load of which there are lines
 * @param lines fields of each second that a client reports, by the names of the lines; empty if it is none of these
 * @param latency whether these fields are latencies, on a logarithmic scale
 */
record Plot(String title, @Nullable Metric sweep, String x, String load, Map<String, String> lines, boolean latency) {

    /** By default, latencies by percentile. */
    static List<Chart> charts(List<Plot> plots, Results results) {
        return plots.isEmpty()
                ? percentiles(results)
                : plots.stream().flatMap(plot -> plot.charts(results).stream()).toList();
    }

    /** A chart for each load and kind of request that there were, with a line for each variant, of the last round. */
    private static List<Chart> percentiles(Results results) {
        List<Chart> charts = new ArrayList<>();
        for (String load : results.loads()) {
            for (Kind kind : Kind.values()) {
                List<Series> series = new ArrayList<>();
                int number = 0;
                for (Trial trial : results.under(load)) {
                    String style = Series.style(number++);
                    results.last(trial)
                            .flatMap(run -> run.result().percentiles(kind, trial.variant(), style))
                            .ifPresent(series::add);
                }
                if (!series.isEmpty()) {
                    String title = "Latency of %ss%s, ms".formatted(kind.text(), load.isEmpty() ? "" : ", " + load);
                    charts.add(Chart.percentiles(title, series));
                }
            }
        }
        return charts;
    }

    List<Chart> charts(Results results) {
        if (sweep != null) {
            return sweep(results, sweep);
        }
        return results.under(load).stream()
                .flatMap(trial -> results.last(trial).stream())
                .flatMap(this::overTime)
                .toList();
    }

    /** On logarithmic scales; the lines are those of the trials. */
    private List<Chart> sweep(Results results, Metric metric) {
        Map<String, List<Series.Point>> points = new LinkedHashMap<>();
        for (Trial trial : results.trials()) {
            List<Double> values = results.values(trial, metric);
            double y = values.isEmpty() ? 0 : Results.median(values);
            Double at = trial.x();
            if (at != null && y > 0) {
                points.computeIfAbsent(trial.line(), any -> new ArrayList<>()).add(new Series.Point(at, y));
            }
        }
        List<Series> series = new ArrayList<>();
        points.forEach((name, line) -> series.add(new Series(name, Series.style(series.size()), line)));
        return series.isEmpty() ? List.of() : List.of(new Chart(title, x, Axis.LOG, Axis.LOG, series, List.of()));
    }

    /** The lines of one run, with the pauses of its gateway's garbage collector. */
    private Stream<Chart> overTime(Measurement run) {
        return run.result().overTime("%s, %s".formatted(title, run.variant()), latency, lines, pauses(run)).stream();
    }

    private static List<Mark> pauses(Measurement run) {
        if (run.pauses().isEmpty()) {
            return List.of();
        }
        JsonNode client = run.result().json();
        double fromMs = Instant.parse(client.path("startedAt").asText()).toEpochMilli()
                + 1000 * client.path("warmupSeconds").asDouble();
        double untilMs = fromMs + 1000 * run.result().seconds();
        return run.pauses().stream()
                .filter(pause -> pause.endMs() >= fromMs && pause.startMs() <= untilMs)
                .map(pause -> new Mark(
                        pause.isFull() ? "full collection" : "GC pause",
                        pause.isFull() ? "error" : "servergc",
                        Mark.Shape.BAND,
                        Math.max(0, (pause.startMs() - fromMs) / 1000),
                        (pause.endMs() - fromMs) / 1000))
                .toList();
    }
}
