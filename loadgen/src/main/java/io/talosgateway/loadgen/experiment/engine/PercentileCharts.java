package io.talosgateway.loadgen.experiment.engine;

import java.util.ArrayList;
import java.util.List;

import io.talosgateway.loadgen.chart.Chart;
import io.talosgateway.loadgen.chart.Chart.Axis;
import io.talosgateway.loadgen.chart.Series;
import io.talosgateway.loadgen.measure.Quantile;
import org.HdrHistogram.Histogram;

/** Latencies by percentile, a line for each variant, all rounds together. Stateless. */
final class PercentileCharts {

    private static final int STYLES = 6;

    private PercentileCharts() {}

    /** The style of a line of several. */
    static String style(int number) {
        return "r" + (1 + number % STYLES);
    }

    /** A chart for each load and kind of request that there were. */
    static List<Chart> of(Results results) {
        List<Chart> charts = new ArrayList<>();
        for (String load : results.loads()) {
            for (String kind : List.of("put", "get")) {
                add(charts, results, load, kind);
            }
        }
        return charts;
    }

    private static void add(List<Chart> charts, Results results, String load, String kind) {
        List<Series> series = new ArrayList<>();
        int number = 0;
        for (Trial trial : results.under(load)) {
            Histogram latency = results.latencies(trial, kind);
            if (latency.getTotalCount() > 0) {
                // Each line ends with its slowest request: one of so many.
                double last = 100 - 100.0 / latency.getTotalCount();
                List<Series.Point> points = Quantile.of(latency).stream()
                        .map(quantile -> new Series.Point(Math.min(last, quantile.percent()), quantile.ms()))
                        .toList();
                series.add(new Series(trial.variant(), style(number), points));
            }
            number++;
        }
        if (!series.isEmpty()) {
            charts.add(new Chart(
                    "Latency of %ss%s, ms".formatted(kind, load.isEmpty() ? "" : ", " + load),
                    "share of the requests that were not slower",
                    Axis.NINES,
                    Axis.LOG,
                    series,
                    List.of()));
        }
    }
}
