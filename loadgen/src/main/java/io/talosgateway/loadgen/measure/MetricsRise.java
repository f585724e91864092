package io.talosgateway.loadgen.measure;

import org.jspecify.annotations.Nullable;

/** What metrics rose by from one page to a later one of the same gateway. */
public record MetricsRise(MetricsPage before, MetricsPage after) {

    /**
     * The rise of a counter, of all its series together.
     *
     * @return null if a page does not have it, or if it fell: the gateway was started again
     */
    public @Nullable Double of(String metric, String... labels) {
        if (before.value(metric, labels).isEmpty()
                || after.value(metric, labels).isEmpty()) {
            return null;
        }
        double rise = after.value(metric, labels).getAsDouble()
                - before.value(metric, labels).getAsDouble();
        return rise < 0 ? null : rise;
    }

    /** The rise of a counter of seconds, in milliseconds. */
    public @Nullable Double ms(String metric) {
        Double seconds = of(metric);
        return seconds == null ? null : Millis.rounded(1000 * seconds);
    }

    /** The mean of what a histogram counted in between; null if that is nothing. */
    public @Nullable Double mean(String histogram, String... labels) {
        Double sum = of(histogram + "_sum", labels);
        Double count = of(histogram + "_count", labels);
        return sum == null || count == null || count == 0 ? null : sum / count;
    }

    /** The same of a histogram of seconds, in milliseconds. */
    public @Nullable Double meanMs(String histogram, String... labels) {
        Double seconds = mean(histogram, labels);
        return seconds == null ? null : Millis.rounded(1000 * seconds);
    }
}
