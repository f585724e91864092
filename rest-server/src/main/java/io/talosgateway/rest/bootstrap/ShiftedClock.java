package io.talosgateway.rest.bootstrap;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;

import io.talosgateway.scheduler.NanoClock;

/**
 * A wall clock that is off by the duration in a file, such as {@code PT-10M}, so that fault tests can put the clock of one gateway forward
 * and back while it runs. Only for a gateway that is started with the system property {@value #PROPERTY}; see
 * docs/decisions/0026-what-verify-checks.md. Safe for use by any thread.
 */
final class ShiftedClock implements InstantSource {

    static final String PROPERTY = "talos.test.clock-shift-file";

    private static final long READ_EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final Path file;
    private final InstantSource wallClock;
    private final NanoClock clock;
    private volatile Shift shift;

    private record Shift(Duration duration, long readAtNanos) {}

    ShiftedClock(Path file, InstantSource wallClock, NanoClock clock) {
        this.file = file;
        this.wallClock = wallClock;
        this.clock = clock;
        this.shift = new Shift(read(), clock.nanoTime());
    }

    /** The system's wall clock, unless the property says otherwise. */
    static InstantSource ofSystem(NanoClock clock) {
        String file = System.getProperty(PROPERTY);
        return file == null ? InstantSource.system() : new ShiftedClock(Path.of(file), InstantSource.system(), clock);
    }

    @Override
    public Instant instant() {
        long nowNanos = clock.nanoTime();
        if (nowNanos - shift.readAtNanos > READ_EVERY_NANOS) {
            shift = new Shift(read(), nowNanos);
        }
        return wallClock.instant().plus(shift.duration);
    }

    /** Zero if there is no such file, or a half-written one. */
    private Duration read() {
        try {
            return Duration.parse(Files.readString(file).strip());
        } catch (IOException | DateTimeException e) {
            return Duration.ZERO;
        }
    }
}
