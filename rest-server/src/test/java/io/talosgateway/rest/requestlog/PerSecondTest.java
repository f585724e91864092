package io.talosgateway.rest.requestlog;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class PerSecondTest {

    private final PerSecond limit = new PerSecond(2);

    @Test
    void furtherLinesOfASecondAreHeldBackAndCountedInTheNext() {
        assertThat(limit.next(5)).isZero();
        assertThat(limit.next(5)).isZero();
        assertThat(limit.next(5)).isEqualTo(-1);
        assertThat(limit.next(5)).isEqualTo(-1);
        assertThat(limit.next(6)).isEqualTo(2);
        assertThat(limit.next(6)).isZero();
    }
}
