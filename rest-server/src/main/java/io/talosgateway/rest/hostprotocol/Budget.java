package io.talosgateway.rest.hostprotocol;

import java.time.Duration;

import io.talosgateway.scheduler.Deadline;
import io.talosgateway.scheduler.NanoClock;

/** Time that travels between hosts: a duration, so that their clocks need not agree. Stateless. */
public final class Budget {

    /** What requests without a deadline get. */
    public static final Duration DEFAULT = Duration.ofMinutes(1);

    /** No more than this is believed. */
    private static final long MAX_MS = Duration.ofHours(1).toMillis();

    /** Of a short time, no more than this part is kept back. */
    private static final int MAX_RESERVED_PART = 4;

    private Budget() {}

    /**
     * What the owner may take: what is left, but for what the answer needs to come back.
     *
     * @return milliseconds; 0 if there is no time left
     */
    public static long of(Deadline deadline, long nowNanos, Duration reserve) {
        long leftMs = Math.min(deadline.remainingMs(nowNanos), MAX_MS);
        return leftMs - Math.min(reserve.toMillis(), leftMs / MAX_RESERVED_PART);
    }

    /** The instant at which a call with this budget must be answered. */
    static Deadline deadline(NanoClock clock, long budgetMs) {
        return Deadline.after(clock, Duration.ofMillis(Math.max(0, Math.min(budgetMs, MAX_MS))));
    }
}
