package io.talosgateway.loadgen.run;

import java.time.Duration;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class WindowTest {

    private static final long SECOND = 1_000_000_000;

    private final Window window = new Window(Duration.ofSeconds(5), Duration.ofSeconds(10));

    @BeforeEach
    void start() {
        window.start(100 * SECOND);
    }

    @Test
    void whatIsClosedBeforeItBeginsIsOverAtOnce() {
        Window early = new Window(Duration.ofSeconds(5), Duration.ofSeconds(10));
        early.close(50 * SECOND);
        assertThat(early.isOver(200 * SECOND)).isFalse();

        early.start(100 * SECOND);

        assertThat(early.isOver(100 * SECOND)).isTrue();
        assertThat(early.seconds()).isZero();
    }

    @Test
    void itIsOpenAfterTheWarmUpAndUntilTheEnd() {
        assertThat(window.contains(105 * SECOND - 1)).isFalse();
        assertThat(window.contains(105 * SECOND)).isTrue();
        assertThat(window.contains(115 * SECOND - 1)).isTrue();
        assertThat(window.contains(115 * SECOND)).isFalse();
        assertThat(window.isOver(115 * SECOND)).isTrue();
        assertThat(window.seconds()).isEqualTo(10);
    }

    @Test
    void closingShortensIt() {
        window.close(109 * SECOND);

        assertThat(window.isOver(109 * SECOND)).isTrue();
        assertThat(window.seconds()).isEqualTo(4);
    }

    @Test
    void closingInTheWarmUpLeavesNothing() {
        window.close(102 * SECOND);

        assertThat(window.seconds()).isZero();
    }

    @Test
    void closingAfterTheEndChangesNothing() {
        window.close(200 * SECOND);

        assertThat(window.seconds()).isEqualTo(10);
    }

    @Test
    void openingEndsTheWarmUpEarly() {
        window.open(102 * SECOND);

        assertThat(window.contains(102 * SECOND - 1)).isFalse();
        assertThat(window.contains(102 * SECOND)).isTrue();
        assertThat(window.contains(112 * SECOND - 1)).isTrue();
        assertThat(window.isOver(112 * SECOND)).isTrue();
        assertThat(window.seconds()).isEqualTo(10);
    }

    @Test
    void openingAfterTheWarmUpChangesNothing() {
        window.open(106 * SECOND);

        assertThat(window.contains(105 * SECOND)).isTrue();
        assertThat(window.isOver(115 * SECOND)).isTrue();
    }

    @Test
    void whatWasClosedStaysClosed() {
        window.close(101 * SECOND);

        window.open(102 * SECOND);

        assertThat(window.isOver(102 * SECOND)).isTrue();
        assertThat(window.seconds()).isZero();
    }
}
