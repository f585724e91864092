package io.talosgateway.rest.config;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class DataSizeTest {

    @ParameterizedTest
    @CsvSource({
        "0,0",
        "17,17",
        "17B,17",
        "2KiB,2048",
        "2 kib,2048",
        "3MiB,3145728",
        "1GiB,1073741824",
        "1TiB,1099511627776"
    })
    void sizesAreRead(String text, long bytes) {
        assertThat(DataSize.parse(text).toBytes()).isEqualTo(bytes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "-1", "1.5MiB", "1MB", "1 2", "MiB"})
    void otherTextsAreRefused(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DataSize.parse(text))
                .withMessageContaining("is not a size: write it like 64MiB");
    }

    @Test
    void textIsTheLargestUnitThatFits() {
        assertThat(DataSize.ofMiB(64)).hasToString("64MiB");
        assertThat(DataSize.ofKiB(1536)).hasToString("1536KiB");
        assertThat(new DataSize(0)).hasToString("0B");
        assertThatThrownBy(() -> DataSize.parse("999999999999TiB")).isInstanceOf(ArithmeticException.class);
    }
}
