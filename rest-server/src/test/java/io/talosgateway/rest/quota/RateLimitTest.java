package io.talosgateway.rest.quota;

import java.time.Duration;
import java.util.SplittableRandom;

import io.talosgateway.scheduler.SteppedTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

final class RateLimitTest {

    private final SteppedTime time = new SteppedTime();

    private static boolean take(RateLimit limit, long amount) {
        if (limit.waitNanos() > 0) {
            return false;
        }
        limit.take(amount);
        return true;
    }

    private static int takeAll(RateLimit limit) {
        int taken = 0;
        while (take(limit, 1)) {
            taken++;
        }
        return taken;
    }

    @Test
    void holdsWhatOneSecondBringsAndIsFilledAtTheRate() {
        RateLimit limit = new RateLimit(5, time);
        assertThat(takeAll(limit)).isEqualTo(5);
        assertThat(limit.waitNanos()).isEqualTo(Duration.ofMillis(200).toNanos());
        time.advance(Duration.ofMillis(199));
        assertThat(take(limit, 1)).isFalse();
        time.advance(Duration.ofMillis(1));
        assertThat(takeAll(limit)).isEqualTo(1);
        time.advance(Duration.ofDays(1));
        assertThat(takeAll(limit)).as("what was not used is not saved up").isEqualTo(5);
    }

    @Test
    void moreThanIsThereIsPaidForByWaiting() {
        RateLimit limit = new RateLimit(1_000, time);
        assertThat(take(limit, 10_000)).isTrue();
        time.advance(Duration.ofSeconds(9));
        assertThat(take(limit, 1)).isFalse();
        time.advance(Duration.ofMillis(1));
        assertThat(take(limit, 1)).isTrue();
    }

    @Test
    void debtOfMoreThanAnHourIsGivenAway() {
        RateLimit limit = new RateLimit(1, time);
        assertThat(take(limit, Long.MAX_VALUE)).isTrue();
        time.advance(Duration.ofHours(1));
        assertThat(take(limit, 1)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void overTimeNeverMoreIsTakenThanTheRateAndOneBucket(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        long perSecond = random.nextLong(1, 100_000);
        RateLimit limit = new RateLimit(perSecond, time);
        long taken = 0;
        long largest = 0;
        for (int step = 0; step < 20_000; step++) {
            long amount = random.nextLong(1, 2 * perSecond);
            if (take(limit, amount)) {
                taken += amount;
                largest = Math.max(largest, amount);
            }
            time.advance(Duration.ofNanos(random.nextLong(300_000_000)));
        }
        double paid = (double) time.elapsedNanos() / 1e9 * (double) perSecond;
        assertThat((double) taken)
                .isLessThanOrEqualTo(paid + (double) (perSecond + largest))
                .isGreaterThan(0.9 * paid);
    }
}
