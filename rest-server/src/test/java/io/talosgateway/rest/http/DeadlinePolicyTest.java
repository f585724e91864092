package io.talosgateway.rest.http;

import java.time.Duration;

import io.talosgateway.scheduler.Deadline;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class DeadlinePolicyTest {

    private static final long ARRIVED_AT_NANOS = 5_000_000_000L;
    private static final long ARRIVED_AT_MS = 1_600_000_000_400L;
    private static final String SAME_CLOCK = "Sun, 13 Sep 2020 12:26:40 GMT";
    private static final String TEN_MINUTES_BEHIND = "Sun, 13 Sep 2020 12:16:40 GMT";
    private static final String TEN_MINUTES_AHEAD = "Sun, 13 Sep 2020 12:36:40 GMT";
    private static final long TEN_MINUTES_MS = 600_000;

    /** Milliseconds from the arrival to the deadline, with a server limit of 10 s. */
    private static long remainingMs(Long timeoutTimestampMs, String clientDate, Long budgetMs) {
        Deadline deadline = DeadlinePolicy.deadline(
                ARRIVED_AT_NANOS, ARRIVED_AT_MS, Duration.ofSeconds(10), timeoutTimestampMs, clientDate, budgetMs);
        return deadline.remainingNanos(ARRIVED_AT_NANOS) / 1_000_000;
    }

    @Test
    void withoutAnyWishTheServersLimitHolds() {
        assertThat(remainingMs(null, null, null)).isEqualTo(10_000);
    }

    @Test
    void earliestOfAllWins() {
        assertThat(remainingMs(null, null, 500L)).isEqualTo(500);
        assertThat(remainingMs(null, null, 60_000L)).isEqualTo(10_000);
        assertThat(remainingMs(ARRIVED_AT_MS + 3_000, SAME_CLOCK, null)).isEqualTo(3_000);
        assertThat(remainingMs(ARRIVED_AT_MS + 3_000, SAME_CLOCK, 500L)).isEqualTo(500);
        assertThat(remainingMs(ARRIVED_AT_MS + 60_000, SAME_CLOCK, null)).isEqualTo(10_000);
    }

    @Test
    void instantOnAClockThatIsOffIsTakenFromTheTimeOfSending() {
        long sentAtMs = ARRIVED_AT_MS - 400;
        assertThat(remainingMs(sentAtMs - TEN_MINUTES_MS + 3_000, TEN_MINUTES_BEHIND, null))
                .isEqualTo(3_000);
        assertThat(remainingMs(sentAtMs + TEN_MINUTES_MS + 3_000, TEN_MINUTES_AHEAD, null))
                .isEqualTo(3_000);
    }

    @Test
    void instantThatHasPassedLeavesNothing() {
        assertThat(remainingMs(ARRIVED_AT_MS - 1, SAME_CLOCK, null)).isZero();
        assertThat(remainingMs(0L, SAME_CLOCK, null)).isZero();
        assertThat(remainingMs(ARRIVED_AT_MS + 9_000, SAME_CLOCK, 0L)).isZero();
    }

    @Test
    void instantWithoutOrWithAMalformedDateIsTakenAsItIs() {
        assertThat(remainingMs(ARRIVED_AT_MS + 3_000, null, null)).isEqualTo(3_000);
        assertThat(remainingMs(ARRIVED_AT_MS + 3_000, "yesterday", null)).isEqualTo(3_000);
    }

    @Test
    void extremeValuesNeitherOverflowNorFail() {
        assertThat(remainingMs(Long.MAX_VALUE, SAME_CLOCK, Long.MAX_VALUE)).isEqualTo(10_000);
        assertThat(remainingMs(Long.MIN_VALUE, SAME_CLOCK, null)).isBetween(0L, 10_000L);
        assertThat(remainingMs(null, null, Long.MIN_VALUE)).isZero();
    }
}
