package io.talosgateway.verifier;

import java.time.Duration;
import java.util.SplittableRandom;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What writers do by chance, and never. */
final class WriterHabitsTest {

    private static final int TIMES = 10_000;

    private final WriterHabits habits = new WriterHabits(new SplittableRandom(1), Duration.ofSeconds(2));

    private int triesAgain(PutAnswer answer) {
        int count = 0;
        for (int number = 0; number < TIMES; number++) {
            count += habits.triesAgain(answer, 1) ? 1 : 0;
        }
        return count;
    }

    @Test
    void answersAreFollowed() {
        assertThat(triesAgain(PutAnswer.stored("disk", 0, false))).isZero();
        assertThat(triesAgain(new PutAnswer(Outcome.NOT_STORED, "topic-not-found", -1, false, false, -1)))
                .isZero();
        assertThat(habits.triesAgain(PutAnswer.none(Outcome.UNKNOWN, "outcome-unknown"), 200))
                .isFalse();
    }

    @Test
    void someAreGivenUpThatNeedNotBe() {
        assertThat(triesAgain(PutAnswer.none(Outcome.NOT_STORED, "overloaded"))).isBetween(7_500, 8_500);
        assertThat(triesAgain(PutAnswer.none(Outcome.UNKNOWN, "outcome-unknown")))
                .isBetween(9_200, 9_800);
    }

    @Test
    void pausesGrowUnlessTheGatewaySaysHowLong() {
        PutAnswer refused = PutAnswer.none(Outcome.NOT_STORED, "overloaded");
        assertThat(habits.pause(refused, 1)).isBetween(Duration.ofMillis(10), Duration.ofMillis(20));
        assertThat(habits.pause(refused, 20)).isBetween(Duration.ofMillis(250), Duration.ofMillis(500));
        assertThat(habits.pause(new PutAnswer(Outcome.NOT_STORED, "throttled", -1, false, true, 3), 1))
                .isEqualTo(Duration.ofSeconds(3));
    }

    @Test
    void putsAndTimesVary() {
        int batches = 0;
        int shortTimes = 0;
        for (int number = 0; number < TIMES; number++) {
            int count = habits.count();
            int timeoutMs = habits.timeoutMs();
            assertThat(count).isBetween(1, 8);
            assertThat(timeoutMs).isIn(100, 500, 2_000);
            batches += count > 1 ? 1 : 0;
            shortTimes += timeoutMs < 2_000 ? 1 : 0;
        }
        assertThat(batches).isBetween(1_500, 2_500);
        assertThat(shortTimes).isBetween(2_000, 3_000);
    }
}
