package io.talosgateway.rest.forwarding.thrift;

import java.time.Duration;
import java.util.Random;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class BackOffTest {

    private static final Duration MIN = Duration.ofMillis(100);
    private static final Duration MAX = Duration.ofSeconds(5);

    private final BackOff backOff = new BackOff(MIN, MAX, new Random(1));

    @Test
    void waitDoublesUpToTheBoundLessHalfByChance() {
        long longest = MIN.toNanos();
        for (int failure = 0; failure < 100; failure++) {
            assertThat(backOff.failed()).isBetween(longest / 2, longest);
            longest = Math.min(MAX.toNanos(), 2 * longest);
        }
    }

    @Test
    void successBeginsAnew() {
        backOff.failed();
        backOff.failed();
        backOff.succeeded();

        assertThat(backOff.failures()).isZero();
        assertThat(backOff.failed()).isLessThanOrEqualTo(MIN.toNanos());
    }
}
