package io.talosgateway.loadgen.plan;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * When requests are to be sent: each at its time, whether or not those before are answered (open loop). Shared by all workers of a
 * kind; safe for use by any thread.
 */
public final class Pacing {

    private final double intervalNanos;
    private final LongSupplier startNanos;
    private final AtomicLong next = new AtomicLong();

    /**
     * A rate.
     *
     * @param perSecond requests a second of all workers together
     * @param startNanos when the first is due; asked for when requests are
     */
    public Pacing(double perSecond, LongSupplier startNanos) {
        this.intervalNanos = 1e9 / perSecond;
        this.startNanos = startNanos;
    }

    /** When the next request is due, on the clock of its start. */
    public long nextNanos() {
        return startNanos.getAsLong() + (long) (next.getAndIncrement() * intervalNanos);
    }
}
