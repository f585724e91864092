package io.talosgateway.rest.journal.lane;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class LaneDelayTest {

    private static final long MS = 1_000_000;

    private final LaneDelay delay = new LaneDelay(100, 1_000);

    @Test
    void nothingIsExpectedBeforeSomethingIsKnown() {
        assertThat(delay.expectedNanos(1_000, 1_000_000)).isZero();
    }

    @Test
    void groupUnderWayThoseBeforeAndItsOwnAreExpected() {
        delay.committed(10 * MS);

        assertThat(delay.expectedNanos(1, 1)).isEqualTo(20 * MS);
        assertThat(delay.expectedNanos(99, 1)).isEqualTo(20 * MS);
        assertThat(delay.expectedNanos(250, 1)).isEqualTo(40 * MS);
        assertThat(delay.expectedNanos(1, 4_500)).isEqualTo(60 * MS);
        assertThat(delay.expectedNanosOfGroup()).isEqualTo(10 * MS);
    }

    @Test
    void putThatNothingWaitsBeforeFindsOutWhetherTheLaneIsFasterNow() {
        delay.committed(60_000 * MS);

        assertThat(delay.expectedNanos(0, 0)).isZero();
    }
}
