package io.talosgateway.loadgen.plan;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * When requests are to be sent: each at its time, whether or not those before are answered (open loop). Shared by all workers of a
 * kind; safe for use by any thread.
 */
public final class Pacing {

    private static final double SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final double intervalNanos;
    private final long startNanos;
    private final AtomicLong next = new AtomicLong();

    /**
     * A rate.
     *
     * @param perSecond requests a second of all workers together
     * @param startNanos when the first is due
     */
    public Pacing(double perSecond, long startNanos) {
        this.intervalNanos = SECOND_NANOS / perSecond;
        this.startNanos = startNanos;
    }

    /** When the next request is due, on the clock of its start. */
    public long nextNanos() {
        return startNanos + (long) (next.getAndIncrement() * intervalNanos);
    }
}
