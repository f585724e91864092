package io.talosgateway.loadgen.plan;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class WarmupTest {

    @Test
    void itIsATimeOrUntilTheRateHasSettled() {
        assertThat(Warmup.parse("10s")).isEqualTo(Warmup.of(Duration.ofSeconds(10)));
        assertThat(Warmup.parse("auto")).isEqualTo(Warmup.AUTO);
        assertThatThrownBy(() -> Warmup.parse("long")).hasMessageContaining("'long' is not a duration");
    }

    @Test
    void textIsReadAgain() {
        assertThat(Warmup.parse(Warmup.AUTO.text())).isEqualTo(Warmup.AUTO);
        assertThat(Warmup.parse(Warmup.of(Duration.ofMillis(1500)).text()))
                .isEqualTo(Warmup.of(Duration.ofMillis(1500)));
    }
}
