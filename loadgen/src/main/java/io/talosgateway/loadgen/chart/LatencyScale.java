package io.talosgateway.loadgen.chart;

import java.util.List;

/** Which scale shows latencies best. Stateless. */
public final class LatencyScale {

    /** Beyond so many times the median, the greatest would press the others flat on a linear scale. */
    private static final double LINEAR_UP_TO_RATIO = 20;

    private LatencyScale() {}

    /** @param values all that are shown on it */
    public static Scale of(List<Double> values) {
        List<Double> positive = values.stream()
                .filter(value -> Double.isFinite(value) && value > 0)
                .sorted()
                .toList();
        if (positive.isEmpty()) {
            return LinearScale.upTo(1);
        }
        double median = positive.get(positive.size() / 2);
        double greatest = positive.get(positive.size() - 1);
        return greatest <= LINEAR_UP_TO_RATIO * median
                ? LinearScale.upTo(greatest)
                : LogScale.around(positive.get(0), greatest);
    }
}
