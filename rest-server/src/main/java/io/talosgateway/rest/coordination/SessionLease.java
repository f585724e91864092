package io.talosgateway.rest.coordination;

import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;

import io.talosgateway.scheduler.NanoClock;
import org.jspecify.annotations.Nullable;

/**
 * How long a lease lasts, decided from confirmations that the session lives. A confirmation counts from the time at which
 * it was asked for. It gives two thirds of the session timeout from that time, and never more than the whole timeout from
 * the time of the confirmation before it: the leader may not yet have heard of the newest sign of life
 * ({@code docs/decisions/0020-read-lease.md}).
 *
 * <p>The monotonic clock stands still while the machine is suspended, so that the lease also ends when the wall clock has
 * passed the same instant.
 */
public final class SessionLease implements ReadLease {

    /** The part of the session timeout that a lease leaves unused: one third. */
    private static final int MARGIN_DIVISOR = 3;

    private final long timeoutNanos;
    private final NanoClock clock;
    private final InstantSource wallClock;

    private @Nullable Moment confirmed;
    private volatile @Nullable Moment end;
    private volatile @Nullable String endReason;

    /** @param sessionTimeout as negotiated with ZooKeeper */
    public SessionLease(Duration sessionTimeout, NanoClock clock, InstantSource wallClock) {
        this.timeoutNanos = sessionTimeout.toNanos();
        this.clock = clock;
        this.wallClock = wallClock;
    }

    /** A time, by both clocks. */
    public record Moment(long nanos, long wallMs) {

        public static Moment now(NanoClock clock, InstantSource wallClock) {
            return new Moment(clock.nanoTime(), wallClock.millis());
        }

        private Moment plusNanos(long more) {
            return new Moment(nanos + more, wallMs + TimeUnit.NANOSECONDS.toMillis(more));
        }

        /** By the clock that says more. */
        private long nanosSince(Moment earlier) {
            return Math.max(nanos - earlier.nanos, TimeUnit.MILLISECONDS.toNanos(wallMs - earlier.wallMs));
        }
    }

    /** What a confirmation that is asked for now counts from. */
    public Moment now() {
        return Moment.now(clock, wallClock);
    }

    /** ZooKeeper's leader has confirmed, after {@code asked}, that the session lives. */
    public synchronized void confirmed(Moment asked) {
        Moment before = confirmed;
        long lastsNanos = timeoutNanos - timeoutNanos / MARGIN_DIVISOR;
        if (before != null) {
            if (asked.nanos - before.nanos < 0) {
                return;
            }
            lastsNanos = Math.min(lastsNanos, timeoutNanos - asked.nanosSince(before));
        }
        confirmed = asked;
        end = asked.plusNanos(lastsNanos);
    }

    /**
     * Ends the lease for ever.
     *
     * @param reason why, as a clause
     */
    public void end(String reason) {
        endReason = reason;
    }

    /** Whether the lease cannot be held again. */
    public boolean hasEnded() {
        return endReason != null;
    }

    @Override
    public boolean isHeld() {
        Moment until = end;
        return endReason == null
                && until != null
                && clock.nanoTime() - until.nanos < 0
                && wallClock.millis() < until.wallMs;
    }

    @Override
    public String whyNotHeld() {
        String reason = endReason;
        if (reason != null) {
            return reason;
        }
        Moment last = lastConfirmed();
        return last == null
                ? "this host has had no confirmation from ZooKeeper yet"
                : "this host has had no confirmation from ZooKeeper for "
                        + TimeUnit.NANOSECONDS.toSeconds(now().nanosSince(last)) + " s";
    }

    private synchronized @Nullable Moment lastConfirmed() {
        return confirmed;
    }
}
