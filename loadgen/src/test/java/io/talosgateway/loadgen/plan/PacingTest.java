package io.talosgateway.loadgen.plan;

import java.util.stream.LongStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class PacingTest {

    @Test
    void requestsAreDueAtEqualIntervals() {
        Pacing pacing = new Pacing(4, () -> 1_000);

        assertThat(LongStream.generate(pacing::nextNanos).limit(3)).containsExactly(1_000L, 250_001_000L, 500_001_000L);
    }

    @Test
    void intervalsThatAreNoWholeNanosecondsDoNotAddUp() {
        Pacing pacing = new Pacing(3, () -> 0);

        assertThat(LongStream.generate(pacing::nextNanos).skip(3_000_000).findFirst())
                .hasValue(1_000_000_000_000_000L);
    }
}
