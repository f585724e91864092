package io.talosgateway.scheduler;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

/**
 * An instant on a {@link NanoClock} by which something must be answered. It travels with a request, where a timeout is
 * local to one wait. Immutable.
 */
public final class Deadline {

    /** Never passes. */
    public static final Deadline NONE = new Deadline(false, 0);

    private final boolean set;
    private final long atNanos;

    private Deadline(boolean set, long atNanos) {
        this.set = set;
        this.atNanos = atNanos;
    }

    /** The instant {@code atNanos} on the clock that made the reading. */
    public static Deadline at(long atNanos) {
        return new Deadline(true, atNanos);
    }

    /** The instant {@code timeout} from now. */
    public static Deadline after(NanoClock clock, Duration timeout) {
        return new Deadline(true, clock.nanoTime() + timeout.toNanos());
    }

    /** True for every deadline but {@link #NONE}. */
    public boolean isSet() {
        return set;
    }

    /** The instant on its clock; meaningless for {@link #NONE}. */
    public long atNanos() {
        return atNanos;
    }

    /** Nanoseconds left, zero or negative once the deadline has passed, {@link Long#MAX_VALUE} for {@link #NONE}. */
    public long remainingNanos(long nowNanos) {
        return set ? atNanos - nowNanos : Long.MAX_VALUE;
    }

    /** Milliseconds left, rounded down, never negative; {@link Long#MAX_VALUE} for {@link #NONE}. */
    public long remainingMs(long nowNanos) {
        return set ? TimeUnit.NANOSECONDS.toMillis(Math.max(0, atNanos - nowNanos)) : Long.MAX_VALUE;
    }

    public boolean hasPassed(long nowNanos) {
        return set && atNanos - nowNanos <= 0;
    }

    public boolean isBefore(Deadline other) {
        return set && (!other.set || atNanos - other.atNanos < 0);
    }

    /** The one that comes first. */
    public Deadline earlier(Deadline other) {
        return other.isBefore(this) ? other : this;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Deadline deadline && deadline.set == set && deadline.atNanos == atNanos;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(atNanos);
    }

    @Override
    public String toString() {
        return set ? "Deadline[at " + atNanos + " ns]" : "Deadline[none]";
    }
}
