package io.talosgateway.loadgen.experiment.engine;

import java.util.ArrayList;
import java.util.List;

import io.talosgateway.loadgen.chart.LatencyScale;
import io.talosgateway.loadgen.chart.LineChart;
import io.talosgateway.loadgen.chart.PercentileScale;
import io.talosgateway.loadgen.chart.Series;
import io.talosgateway.loadgen.measure.Quantile;
import org.HdrHistogram.Histogram;

/** Latencies by percentile, a line for each variant, all rounds together. Stateless. */
public final class PercentileCharts {

    private static final int STYLES = 6;

    private PercentileCharts() {}

    /** The style of a line of several. */
    public static String style(int number) {
        return "r" + (1 + number % STYLES);
    }

    /** A chart for each load and kind of request that there were. */
    public static List<LineChart> of(Results results) {
        List<LineChart> charts = new ArrayList<>();
        for (String load : results.loads()) {
            for (String kind : List.of("put", "get")) {
                add(charts, results, load, kind);
            }
        }
        return charts;
    }

    private static void add(List<LineChart> charts, Results results, String load, String kind) {
        List<Series> series = new ArrayList<>();
        List<Double> values = new ArrayList<>();
        long count = 0;
        int number = 0;
        for (Trial trial : results.under(load)) {
            Histogram latency = results.latencies(trial, kind);
            if (latency.getTotalCount() > 0) {
                // Each line ends with its slowest request: one of so many.
                double last = 100 - 100.0 / latency.getTotalCount();
                List<Series.Point> points = Quantile.of(latency).stream()
                        .map(quantile -> new Series.Point(Math.min(last, quantile.percent()), quantile.ms()))
                        .toList();
                points.forEach(point -> values.add(point.y()));
                series.add(new Series(trial.variant(), style(number), points));
                count = Math.max(count, latency.getTotalCount());
            }
            number++;
        }
        if (!series.isEmpty()) {
            charts.add(new LineChart(
                    "Latency of %ss%s, ms".formatted(kind, load.isEmpty() ? "" : ", " + load),
                    "share of the requests that were not slower",
                    new PercentileScale(count),
                    LatencyScale.of(values),
                    series,
                    List.of(),
                    List.of()));
        }
    }
}
