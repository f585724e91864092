package io.talosgateway.loadgen.chart;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Which scale shows latencies best. Stateless. */
public final class LatencyScale {

    /** Beyond so many times the median, the greatest would press the others flat on a linear scale. */
    private static final double LINEAR_UP_TO_RATIO = 20;

    /** A line that stays below this share of a linear scale looks flat, whatever it does. */
    private static final double FLAT_BELOW = 0.2;

    private static final double MEDIAN_PERCENT = 50;

    private LatencyScale() {}

    /** @param lines each is to be seen to move */
    public static AxisScale ofLines(List<Series> lines) {
        List<Double> all = new ArrayList<>();
        double least = Double.POSITIVE_INFINITY;
        double greatest = 0;
        for (Series line : lines) {
            double itsGreatest = 0;
            for (Series.Point point : line.points()) {
                if (Double.isFinite(point.y()) && point.y() > 0) {
                    all.add(point.y());
                    itsGreatest = Math.max(itsGreatest, point.y());
                }
            }
            if (itsGreatest > 0) {
                least = Math.min(least, itsGreatest);
                greatest = Math.max(greatest, itsGreatest);
            }
        }
        return least < FLAT_BELOW * greatest ? LogScale.around(Collections.min(all), greatest) : of(all);
    }

    /**
     * For lines from the fastest to the slowest request, at whose ends there are many points of few requests.
     *
     * @param lines over percentiles
     */
    public static AxisScale ofDistributions(List<Series> lines) {
        double median = Double.POSITIVE_INFINITY;
        double least = Double.POSITIVE_INFINITY;
        double greatest = 0;
        for (Series line : lines) {
            for (Series.Point point : line.points()) {
                if (point.y() > 0) {
                    least = Math.min(least, point.y());
                    greatest = Math.max(greatest, point.y());
                    median = point.x() >= MEDIAN_PERCENT ? Math.min(median, point.y()) : median;
                }
            }
        }
        if (greatest == 0) {
            return LinearScale.upTo(1);
        }
        return greatest <= LINEAR_UP_TO_RATIO * median ? LinearScale.upTo(greatest) : LogScale.around(least, greatest);
    }

    /** @param values all that are shown on it */
    public static AxisScale of(List<Double> values) {
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
