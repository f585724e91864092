package io.talosgateway.rest.journal.lane;

import org.junit.jupiter.api.Test;

import static io.talosgateway.rest.journal.lane.ReplicaRolls.FIRST_PAUSE_NANOS;
import static io.talosgateway.rest.journal.lane.ReplicaRolls.LAST_PAUSE_NANOS;
import static org.assertj.core.api.Assertions.assertThat;

final class ReplicaRollsTest {

    private static final long START_NANOS = Long.MAX_VALUE - FIRST_PAUSE_NANOS / 2;

    private final ReplicaRolls rolls = new ReplicaRolls();

    @Test
    void fileWithAllItsCopiesIsNotLeft() {
        assertThat(rolls.isDue(0, START_NANOS)).isFalse();
    }

    @Test
    void pausesGrowWhileNewFilesHaveTooFewAsWell() {
        long nowNanos = START_NANOS;
        long pauseNanos = FIRST_PAUSE_NANOS;
        assertThat(rolls.isDue(1, nowNanos)).isTrue();
        for (int roll = 0; roll < 10; roll++) {
            assertThat(rolls.isDue(1, nowNanos + pauseNanos - 1)).isFalse();
            nowNanos += pauseNanos;
            assertThat(rolls.isDue(1, nowNanos)).isTrue();
            pauseNanos = Math.min(2 * pauseNanos, LAST_PAUSE_NANOS);
        }
        assertThat(pauseNanos).isEqualTo(LAST_PAUSE_NANOS);
    }

    @Test
    void pausesAreShortAgainOnceAFileHadAllButNotLeftOut() {
        assertThat(rolls.isDue(1, START_NANOS)).isTrue();
        assertThat(rolls.isDue(1, START_NANOS + FIRST_PAUSE_NANOS)).isTrue();
        long nowNanos = START_NANOS + FIRST_PAUSE_NANOS + 1;
        assertThat(rolls.isDue(0, nowNanos)).isFalse();
        assertThat(rolls.isDue(1, nowNanos)).isFalse();
        assertThat(rolls.isDue(1, nowNanos + FIRST_PAUSE_NANOS)).isTrue();
    }
}
