package io.talosgateway.rest.http;

import java.time.Duration;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.concurrent.TimeUnit;

import io.talosgateway.scheduler.Deadline;
import org.jspecify.annotations.Nullable;

/**
 * Fixes the deadline of a request, once: the earliest of the server's own limit, the client's instant and the client's
 * budget. Stateless.
 *
 * <p>The instant, {@code timeoutTimestamp}, is on the client's clock, which may be minutes off. The same request carries
 * the client's time when it was sent, in {@code x-xiaomi-date}, on the same clock and to the second: their difference is a
 * duration, which is right whatever the clock shows. Where the clocks agree, the instant itself is better, because it
 * counts the time on the way.
 */
public final class DeadlinePolicy {

    /** Clocks that differ by less are taken to agree: network, queues, and the second that the date is rounded down by. */
    private static final long AGREEMENT_MS = 2_000;

    private DeadlinePolicy() {}

    /**
     * The deadline.
     *
     * @param arrivedAtNanos when the request arrived, on the gateway's monotonic clock
     * @param arrivedAtMs the same instant on its wall clock
     * @param serverLimit longest time that the gateway takes
     * @param timeoutTimestampMs the client's instant, epoch milliseconds on its clock, or null
     * @param clientDate the client's time at sending, as in {@code x-xiaomi-date}, or null
     * @param budgetMs the client's budget in milliseconds, or null
     */
    public static Deadline deadline(
            long arrivedAtNanos,
            long arrivedAtMs,
            Duration serverLimit,
            @Nullable Long timeoutTimestampMs,
            @Nullable String clientDate,
            @Nullable Long budgetMs) {
        long remainingMs = serverLimit.toMillis();
        if (budgetMs != null) {
            remainingMs = Math.min(remainingMs, budgetMs);
        }
        if (timeoutTimestampMs != null) {
            long sentAtMs = parse(clientDate, arrivedAtMs);
            boolean clocksAgree = Math.abs(arrivedAtMs - sentAtMs) <= AGREEMENT_MS;
            remainingMs = Math.min(remainingMs, timeoutTimestampMs - (clocksAgree ? arrivedAtMs : sentAtMs));
        }
        return Deadline.at(arrivedAtNanos + TimeUnit.MILLISECONDS.toNanos(Math.max(0, remainingMs)));
    }

    private static long parse(@Nullable String date, long otherwiseMs) {
        if (date == null) {
            return otherwiseMs;
        }
        try {
            return ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME)
                    .toInstant()
                    .toEpochMilli();
        } catch (DateTimeParseException e) {
            return otherwiseMs;
        }
    }
}
