package io.talosgateway.loadgen.cli;

import java.time.Duration;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class UnitsTest {

    @ParameterizedTest
    @CsvSource({"1,1", "100B,100", "10KiB,10240", "10 kib,10240", "1MiB,1048576", "1024MiB,1073741824"})
    void sizesHaveBinaryUnits(String text, int bytes) {
        assertThat(Units.bytes(text)).isEqualTo(bytes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "-1", "10KB", "1.5MiB", "1025MiB", "999999999MiB", "12345678901"})
    void whatIsNoSizeIsRefused(String text) {
        assertThatThrownBy(() -> Units.bytes(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("'" + text + "' is ");
    }

    @Test
    void durationsHaveUnits() {
        assertThat(Units.duration("500ms")).isEqualTo(Duration.ofMillis(500));
        assertThat(Units.duration("10 s")).isEqualTo(Duration.ofSeconds(10));
        assertThat(Units.duration("5M")).isEqualTo(Duration.ofMinutes(5));
        assertThat(Units.duration("1h")).isEqualTo(Duration.ofHours(1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "10", "s", "1d", "-1s", "1.5s"})
    void whatIsNoDurationIsRefused(String text) {
        assertThatThrownBy(() -> Units.duration(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("write it like 500ms");
    }
}
