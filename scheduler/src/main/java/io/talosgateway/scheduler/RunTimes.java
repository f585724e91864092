package io.talosgateway.scheduler;

/**
 * How long tasks take, as an exponentially weighted mean: what says how long a queue will take. Old runs fade by half in
 * some twenty. Safe for use by any thread; of two runs that end at the same moment, one may go unheard.
 */
public final class RunTimes {

    private static final int WEIGHT = 32;
    private static final long UNKNOWN = -1;

    private volatile long meanNanos = UNKNOWN;

    public void add(long runNanos) {
        long mean = meanNanos;
        meanNanos = mean == UNKNOWN ? runNanos : mean + (runNanos - mean) / WEIGHT;
    }

    /** How long so many tasks take, one after another; 0 while nothing is known. */
    public long expectedNanos(int tasks) {
        return Math.max(0, meanNanos) * tasks;
    }
}
