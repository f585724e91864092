package io.talosgateway.rest.hosting;

import java.time.Duration;
import java.time.Instant;

import io.talosgateway.rest.peer.LogLines;
import io.talosgateway.scheduler.SteppedTime;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class RetentionClockTest {

    private static final long BEGAN_MS = 1_700_000_000_000L;

    private final SteppedTime time = new SteppedTime();
    private long wallMs = BEGAN_MS;
    private final RetentionClock clock = new RetentionClock(() -> Instant.ofEpochMilli(wallMs), time);

    private void pass(Duration duration) {
        time.advance(duration);
        wallMs += duration.toMillis();
    }

    @Test
    void followsTheWallClock() {
        assertThat(clock.millis()).isEqualTo(BEGAN_MS);
        pass(Duration.ofDays(1));
        assertThat(clock.millis()).isEqualTo(wallMs);
    }

    @Test
    void doesNotFollowAStepForward() {
        wallMs += Duration.ofDays(365).toMillis();
        assertThat(clock.millis()).isEqualTo(BEGAN_MS);
        pass(Duration.ofHours(1));
        assertThat(clock.millis()).isEqualTo(BEGAN_MS + Duration.ofHours(1).toMillis());
    }

    @Test
    void followsAStepBackAtOnceAndTheStepThatRightsIt() {
        pass(Duration.ofHours(2));
        wallMs -= Duration.ofHours(3).toMillis();
        assertThat(clock.millis()).isEqualTo(wallMs);
        pass(Duration.ofHours(1));
        assertThat(clock.millis()).isEqualTo(wallMs);
        wallMs += Duration.ofHours(3).toMillis();
        assertThat(clock.millis()).isEqualTo(wallMs);
    }

    @Test
    void isRightAgainWhenAStepForwardIsUndone() {
        wallMs += Duration.ofDays(365).toMillis();
        pass(Duration.ofHours(1));
        clock.millis();
        wallMs -= Duration.ofDays(365).toMillis();

        assertThat(clock.millis()).isEqualTo(wallMs);
    }

    @Test
    void tellsOnceByHowMuchTheClockWasSet() {
        try (LogLines log = new LogLines(RetentionClock.class)) {
            pass(Duration.ofHours(1));
            wallMs += 5_000; // leap seconds and drift are nothing to tell
            clock.millis();
            assertThat(log.texts()).isEmpty();

            wallMs += Duration.ofDays(365).toMillis();
            clock.millis();
            pass(Duration.ofHours(1));
            clock.millis();
            assertThat(log.texts())
                    .singleElement()
                    .asString()
                    .contains("set ahead by PT8760H5S", "expire that much later");

            wallMs -= Duration.ofDays(365).toMillis();
            clock.millis();
            assertThat(log.texts()).as("it is right again").hasSize(1);
        }
    }
}
