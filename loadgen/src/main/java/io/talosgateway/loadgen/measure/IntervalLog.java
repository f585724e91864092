package io.talosgateway.loadgen.measure;

import org.HdrHistogram.Histogram;

/** Hears the latencies of each second, while the run goes on. */
public interface IntervalLog {

    /** For nobody. */
    IntervalLog NONE = (kind, fromSeconds, untilSeconds, latency) -> {};

    /** The warm-up is over. */
    default void begin() {}

    /**
     * @param fromSeconds since the end of the warm-up
     * @param latency in nanoseconds; not changed
     */
    void interval(Kind kind, double fromSeconds, double untilSeconds, Histogram latency);
}
