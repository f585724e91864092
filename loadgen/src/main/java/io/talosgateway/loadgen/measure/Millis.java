package io.talosgateway.loadgen.measure;

import org.HdrHistogram.Histogram;

/** Latencies of a histogram of nanoseconds, in milliseconds to three decimals: more are noise. Stateless. */
public final class Millis {

    private static final double NANOS_PER_MS = 1e6;

    private Millis() {}

    /** 0 if nothing was timed. */
    public static double mean(Histogram latency) {
        return latency.getTotalCount() == 0 ? 0 : rounded(latency.getMean() / NANOS_PER_MS);
    }

    /** 0 if nothing was timed. */
    public static double percentile(Histogram latency, double percentile) {
        return latency.getTotalCount() == 0 ? 0 : rounded(latency.getValueAtPercentile(percentile) / NANOS_PER_MS);
    }

    static double ofNanos(double nanos) {
        return rounded(nanos / NANOS_PER_MS);
    }

    /** To three decimals. */
    public static double rounded(double value) {
        return Math.round(value * 1000) / 1000.0;
    }
}
