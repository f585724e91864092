package io.talosgateway.loadgen.run;

/**
 * When a consumer is done with one message after another, each of which takes as long. If it is late, because it was not woken in
 * time, the next ones are not: the lateness of a wake-up must not become the price of a message. Not safe for use by several
 * threads.
 */
final class Pace {

    /** More than that behind, it does not catch up. */
    private static final long MOST_BEHIND_NANOS = 10_000_000;

    private final long costNanos;
    private long freeAtNanos;

    Pace(long costNanos, long nowNanos) {
        this.costNanos = costNanos;
        this.freeAtNanos = nowNanos;
    }

    /** There was nothing to do until now. */
    void idleUntil(long nowNanos) {
        freeAtNanos = Math.max(freeAtNanos, nowNanos);
    }

    /** Begins with the next message as soon as it is free; returns when it is done. */
    long doneAtNanos(long nowNanos) {
        freeAtNanos = Math.max(freeAtNanos, nowNanos - costNanos - MOST_BEHIND_NANOS) + costNanos;
        return freeAtNanos;
    }
}
