package io.talosgateway.loadgen.measure;

import java.util.ArrayList;
import java.util.List;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.talosgateway.loadgen.chart.Series;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/**
 * A latency and how many requests were not slower; in JSON a pair.
 *
 * @param percent of the requests
 */
@JsonFormat(shape = JsonFormat.Shape.ARRAY)
@JsonPropertyOrder({"percent", "ms"})
public record Quantile(double percent, double ms) {

    /** How many between 0 and 50 %, between 50 and 75 %, and so on. */
    private static final int STEPS_PER_HALF = 5;

    /** As a line of a chart, which ends with the slowest request: one of so many. */
    public static Series line(String name, String style, List<Quantile> quantiles, long count) {
        double last = 100 - 100.0 / Math.max(1, count);
        return new Series(
                name,
                style,
                quantiles.stream()
                        .map(quantile -> new Series.Point(Math.min(last, quantile.percent()), quantile.ms()))
                        .toList());
    }

    /** From the fastest to the slowest; empty if nothing was timed. */
    public static List<Quantile> of(Histogram latency) {
        List<Quantile> quantiles = new ArrayList<>();
        if (latency.getTotalCount() > 0) {
            for (HistogramIterationValue step : latency.percentiles(STEPS_PER_HALF)) {
                quantiles.add(new Quantile(
                        step.getPercentileLevelIteratedTo(), Millis.ofNanos((double) step.getValueIteratedTo())));
            }
        }
        return quantiles;
    }
}
