package io.talosgateway.rest.metrics;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class BoundedLabelTest {

    private final BoundedLabel label = new BoundedLabel(2);

    @Test
    void theFirstHaveTheirOwnAndTheOthersShareOne() {
        assertThat(label.of("a")).isEqualTo("a");
        assertThat(label.of("b")).isEqualTo("b");
        assertThat(label.of("c")).isEqualTo("other");
        assertThat(label.of("a")).isEqualTo("a");
    }

    @Test
    void whatIsForgottenMakesRoom() {
        label.of("a");
        label.of("b");
        label.forget("a");

        assertThat(label.of("c")).isEqualTo("c");
        assertThat(label.of("a")).isEqualTo("other");
    }
}
