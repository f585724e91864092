package io.talosgateway.rest.bootstrap;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** The clock that fault tests put forward and back. */
final class ShiftedClockTest {

    private static final Instant NOW = Instant.parse("2026-11-22T06:00:00Z");

    @TempDir
    private Path directory;

    private final AtomicLong nowNanos = new AtomicLong();

    @Test
    void fileSaysByHowMuchTheClockIsOff() throws Exception {
        Path file = directory.resolve("clock-shift");
        InstantSource clock = new ShiftedClock(file, InstantSource.fixed(NOW), nowNanos::get);
        assertThat(clock.instant()).isEqualTo(NOW);

        Files.writeString(file, "P2D\n");
        assertThat(clock.instant()).isEqualTo(NOW);
        passTime();
        assertThat(clock.millis()).isEqualTo(NOW.plus(Duration.ofDays(2)).toEpochMilli());

        Files.writeString(file, "PT-10M");
        passTime();
        assertThat(clock.instant()).isEqualTo(NOW.minus(Duration.ofMinutes(10)));

        Files.writeString(file, "P");
        passTime();
        assertThat(clock.instant()).isEqualTo(NOW);
        Files.delete(file);
        passTime();
        assertThat(clock.instant()).isEqualTo(NOW);
    }

    private void passTime() {
        nowNanos.addAndGet(Duration.ofMillis(101).toNanos());
    }

    @Test
    void clockIsTheSystemsUnlessThePropertyIsSet() {
        assertThat(System.getProperty(ShiftedClock.PROPERTY)).isNull();
        assertThat(ShiftedClock.ofSystem(nowNanos::get)).isNotInstanceOf(ShiftedClock.class);
    }
}
