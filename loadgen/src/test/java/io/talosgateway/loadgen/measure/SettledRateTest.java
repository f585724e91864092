package io.talosgateway.loadgen.measure;

import java.util.function.IntToLongFunction;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class SettledRateTest {

    private static final int NEVER = -1;

    /**
     * After how many seconds it has settled.
     *
     * @param perSecond what each second brings, from the second 1 on
     */
    private static int settledAfter(IntToLongFunction perSecond) {
        SettledRate rate = new SettledRate();
        long count = 0;
        for (int second = 1; second <= 100; second++) {
            count += perSecond.applyAsLong(second);
            if (rate.second(count)) {
                return second;
            }
        }
        return NEVER;
    }

    @Test
    void steadyRateHasSettledAsSoonAsThereIsEnoughToCompare() {
        assertThat(settledAfter(second -> 1_000)).isEqualTo(12);
    }

    @Test
    void riseOfATwentiethInFiveSecondsIsNone() {
        assertThat(settledAfter(second -> (long) (100_000 * Math.pow(1.009, second))))
                .isEqualTo(12);
    }

    @Test
    void rateThatRisesFasterHasNot() {
        assertThat(settledAfter(second -> (long) (100_000 * Math.pow(1.02, second))))
                .isEqualTo(NEVER);
    }

    @Test
    void rateThatRisesAtFirstHasSettledWhenTheRiseIsBehindTheFiveSeconds() {
        // Until the second 20 more and more: the seconds 18 to 22 are the first that 1.05 times is not more than.
        assertThat(settledAfter(second -> 1_000L * Math.min(20, second))).isEqualTo(29);
    }

    @Test
    void dipInTheRiseIsNoEnd() {
        // A stall of one second, in the middle of the rise.
        assertThat(settledAfter(second -> second == 11 ? 0 : 1_000L * Math.min(30, second)))
                .isGreaterThan(30);
    }

    @Test
    void serverThatAnswersNothingDoesNotRise() {
        assertThat(settledAfter(second -> 0)).isEqualTo(12);
    }
}
