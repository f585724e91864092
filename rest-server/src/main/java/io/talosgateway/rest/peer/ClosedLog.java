package io.talosgateway.rest.peer;

import java.net.SocketAddress;
import java.time.Duration;

import io.talosgateway.scheduler.Deadline;
import io.talosgateway.scheduler.NanoClock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs why connections were closed: one line at a time, so that whoever knocks at the port in numbers cannot fill the log.
 * Safe for use by any thread.
 */
final class ClosedLog {

    private static final Logger log = LoggerFactory.getLogger(ClosedLog.class);
    private static final Duration PAUSE = Duration.ofSeconds(5);

    private final NanoClock clock;
    private final PeerMetrics metrics;

    // Guarded by this.
    private @Nullable Deadline silentUntil;
    private long untold;

    ClosedLog(NanoClock clock, PeerMetrics metrics) {
        this.clock = clock;
        this.metrics = metrics;
    }

    void closed(@Nullable SocketAddress from, CloseReason reason) {
        metrics.closed(reason);
        long before;
        synchronized (this) {
            Deadline silent = silentUntil;
            if (silent != null && !silent.hasPassed(clock.nanoTime())) {
                untold++;
                return;
            }
            silentUntil = Deadline.after(clock, PAUSE);
            before = untold;
            untold = 0;
        }
        log.warn(
                "Closed a connection from {} to the peer port: {}{}",
                from,
                reason.sentence(),
                before == 0 ? "" : " (and " + before + " other connections since the last such line)");
    }
}
