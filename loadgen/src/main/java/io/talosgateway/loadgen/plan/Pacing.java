package io.talosgateway.loadgen.plan;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * When requests are to be sent: each at its time, whether or not those before are answered (open loop). One worker's, or
 * shared by several; safe for use by any thread.
 */
public final class Pacing {

    private static final double SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final double intervalNanos;
    private final double firstNanos;
    private final long startNanos;
    private final AtomicLong next = new AtomicLong();

    private Pacing(double intervalNanos, double firstNanos, long startNanos) {
        this.intervalNanos = intervalNanos;
        this.firstNanos = firstNanos;
        this.startNanos = startNanos;
    }

    /** @param perSecond requests a second of all workers together */
    public static Pacing at(double perSecond, long startNanos) {
        return share(perSecond, 0, 1, startNanos);
    }

    /**
     * One of several that make a rate together: they take turns.
     *
     * @param perSecond requests a second of all of them together
     * @param number which of them it is, from 0
     * @param of how many there are
     */
    static Pacing share(double perSecond, int number, int of, long startNanos) {
        double nanos = SECOND_NANOS / perSecond;
        return new Pacing(of * nanos, number * nanos, startNanos);
    }

    /** When the next request is due, on the clock of its start. */
    public long nextNanos() {
        return startNanos + (long) (firstNanos + next.getAndIncrement() * intervalNanos);
    }
}
