package io.talosgateway.scheduler;

/**
 * How long tasks take, as an exponentially weighted mean: what says how long a queue will take. Old runs fade by half in
 * some twenty. One run doubles the mean at most: a task of microseconds whose thread is interrupted for a tenth of a second says
 * nothing of those behind it. Safe for use by any thread; of two runs that end at the same moment, one may go unheard.
 */
public final class RunTimes {

    private static final int WEIGHT = 32;
    private static final long UNKNOWN = -1;
    /** A smaller mean counts as so much, so that it can rise. */
    private static final long LEAST_NANOS = 1_000;

    private volatile long meanNanos = UNKNOWN;

    public void add(long runNanos) {
        long mean = meanNanos;
        meanNanos = mean == UNKNOWN ? runNanos : mean + (Math.min(runNanos, most(mean)) - mean) / WEIGHT;
    }

    private static long most(long mean) {
        return (WEIGHT + 1) * Math.max(mean, LEAST_NANOS);
    }

    /** How long so many tasks take, one after another; 0 while nothing is known. */
    public long expectedNanos(int tasks) {
        return Math.max(0, meanNanos) * tasks;
    }
}
