package io.talosgateway.loadgen;

import java.util.Objects;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class PacingTest {

    @Test
    void requestsAreDueAtEqualIntervals() {
        Pacing pacing = Objects.requireNonNull(Pacing.of(4, 1_000));

        assertThat(pacing.nextNanos()).isEqualTo(1_000);
        assertThat(pacing.nextNanos()).isEqualTo(250_001_000);
        assertThat(pacing.nextNanos()).isEqualTo(500_001_000);
    }

    @Test
    void closedLoopHasNone() {
        assertThat(Pacing.of(null, 0)).isNull();
    }
}
