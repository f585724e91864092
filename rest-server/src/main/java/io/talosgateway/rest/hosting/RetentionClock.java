package io.talosgateway.rest.hosting;

import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;

import io.talosgateway.scheduler.NanoClock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The time by which messages expire: the wall clock's, but never more than has passed by the monotonic clock since this was
 * made. A wall clock that is set ahead, by mistake or not, so deletes nothing; it is followed at once when it is set back. To be
 * made once for each process. Safe for use by any thread.
 */
final class RetentionClock {

    private static final Logger log = LoggerFactory.getLogger(RetentionClock.class);

    /** Smaller differences are leap seconds and corrections of drift; they are not worth a warning. */
    private static final long TOLD_MS = TimeUnit.MINUTES.toMillis(1);

    private final InstantSource wallClock;
    private final NanoClock clock;
    private final long beganMs;
    private final long beganNanos;

    /** How far the wall clock was ahead when that was last told. Guarded by this. */
    private long toldAheadMs;

    RetentionClock(InstantSource wallClock, NanoClock clock) {
        this.wallClock = wallClock;
        this.clock = clock;
        this.beganMs = wallClock.millis();
        this.beganNanos = clock.nanoTime();
    }

    /** Epoch milliseconds. */
    long millis() {
        long wallMs = wallClock.millis();
        long steadyMs = beganMs + TimeUnit.NANOSECONDS.toMillis(clock.nanoTime() - beganNanos);
        tell(Math.max(0, wallMs - steadyMs));
        return Math.min(wallMs, steadyMs);
    }

    private synchronized void tell(long aheadMs) {
        if (Math.abs(aheadMs - toldAheadMs) < TOLD_MS) {
            return;
        }
        toldAheadMs = aheadMs;
        if (aheadMs < TOLD_MS) {
            log.info("The clock of this machine is right again; messages expire by it");
        } else {
            log.warn(
                    "The clock of this machine was set ahead by {} since this gateway started, or the machine was suspended: "
                            + "messages expire that much later. If the clock is right now, restart this gateway; if not, set it "
                            + "back before any restart.",
                    Duration.ofSeconds(TimeUnit.MILLISECONDS.toSeconds(aheadMs)));
        }
    }
}
