package io.talosgateway.loadgen.experiment.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.talosgateway.loadgen.chart.Chart;
import org.jspecify.annotations.Nullable;

/**
 * What to draw: a measure over what was varied ({@code sweep}), a field of the seconds of all variants of each load ({@code
 * second}), or several of them of each variant of one load ({@code lines}).
 *
 * @param title above it; for {@code second}, {@code %s} is the load
 * @param sweep the measure; null if it is not a sweep
 * @param x what was varied, in a sweep
 * @param second a field of each second that a client reports; null if it is not one
 * @param load of which there are lines
 * @param lines fields of each second that a client reports, by the names of the lines; empty if it is none of these
 * @param latency whether these fields are latencies, on a logarithmic scale
 */
record Plot(
        String title,
        @Nullable Metric sweep,
        @Nullable String x,
        @Nullable String second,
        @Nullable String load,
        Map<String, String> lines,
        boolean latency) {

    /** By default, latencies by percentile. */
    static List<Chart> charts(List<Plot> plots, Results results) {
        if (plots.isEmpty()) {
            return PercentileCharts.of(results);
        }
        List<Chart> charts = new ArrayList<>();
        plots.forEach(plot -> charts.addAll(plot.charts(results)));
        return charts;
    }

    private List<Chart> charts(Results results) {
        if (sweep != null) {
            return SweepCharts.of(results, sweep, title, String.valueOf(x));
        }
        if (second != null) {
            return TimeCharts.ofLoads(results, title, second, latency);
        }
        return results.under(String.valueOf(load)).stream()
                .flatMap(trial -> results.last(trial).stream())
                .map(run -> TimeCharts.ofRun(run, "%s, %s".formatted(title, run.variant()), lines, latency))
                .toList();
    }
}
