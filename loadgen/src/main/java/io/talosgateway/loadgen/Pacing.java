package io.talosgateway.loadgen;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import org.jspecify.annotations.Nullable;

/**
 * When requests are to be sent: each at its time, whether or not those before are answered (open loop), or whenever a worker
 * is free (closed loop). Shared by workers; safe for use by any thread.
 */
public final class Pacing {

    private final double intervalNanos;
    private final long startNanos;
    private final AtomicLong next = new AtomicLong();

    private Pacing(double intervalNanos, long startNanos) {
        this.intervalNanos = intervalNanos;
        this.startNanos = startNanos;
    }

    /** @param perSecond requests a second of all workers together; null for a closed loop */
    static @Nullable Pacing of(@Nullable Integer perSecond, long startNanos) {
        return perSecond == null ? null : at(perSecond, startNanos);
    }

    /** @param perSecond requests a second of all workers together */
    public static Pacing at(int perSecond, long startNanos) {
        return new Pacing(TimeUnit.SECONDS.toNanos(1) / (double) perSecond, startNanos);
    }

    /** When the next request is due, on the clock of its start. */
    public long nextNanos() {
        return startNanos + (long) (next.getAndIncrement() * intervalNanos);
    }
}
