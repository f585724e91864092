package io.talosgateway.rest.quota;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

import io.talosgateway.scheduler.NanoClock;

/**
 * A token bucket that holds what one second brings, as the generic cell rate algorithm of ITU-T I.371 keeps it: a single number, the
 * time at which everything that was taken is paid for. While there is one token, any amount may be taken, and what exceeds the bucket
 * is paid for by waiting. Threads that ask at the same time may each take one amount too many. Safe for use by any thread; does not block, does not
 * allocate.
 */
final class RateLimit {

    private static final long NANOS_PER_SECOND = Duration.ofSeconds(1).toNanos();
    /** What takes longer to pay for is given away. */
    private static final long MOST_AHEAD_NANOS = Duration.ofHours(1).toNanos();

    private final long perSecond;
    private final NanoClock clock;
    private final AtomicLong paidAtNanos;

    /** @param perSecond at least 1 */
    RateLimit(long perSecond, NanoClock clock) {
        this.perSecond = perSecond;
        this.clock = clock;
        this.paidAtNanos = new AtomicLong(clock.nanoTime());
    }

    long perSecond() {
        return perSecond;
    }

    /** How long nothing may be taken, in nanoseconds; 0 if something may be taken now. */
    long waitNanos() {
        return Math.max(0, paidAtNanos.get() - clock.nanoTime() + costNanos(1) - NANOS_PER_SECOND);
    }

    /**
     * Takes an amount, whether that is much or not.
     *
     * @param amount at least 0
     */
    void take(long amount) {
        long nowNanos = clock.nanoTime();
        long costNanos = costNanos(amount);
        long before;
        long after;
        do {
            before = paidAtNanos.get();
            long aheadNanos = Math.max(0, before - nowNanos);
            after = nowNanos + Math.min(MOST_AHEAD_NANOS, aheadNanos + costNanos);
        } while (!paidAtNanos.compareAndSet(before, after));
    }

    private long costNanos(long amount) {
        return Math.min(MOST_AHEAD_NANOS, (long) ((double) amount * NANOS_PER_SECOND / perSecond));
    }
}
