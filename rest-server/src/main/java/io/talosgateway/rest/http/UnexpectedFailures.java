package io.talosgateway.rest.http;

import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;

import io.talosgateway.scheduler.Deadline;
import io.talosgateway.scheduler.DeadlineTimer;
import io.talosgateway.scheduler.NanoClock;
import io.talosgateway.scheduler.Timeout;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs failures that no code expected: one line a second at most, with their number, so that a client who has found a bug
 * cannot fill the disk with it. Stack traces are logged at level debug. Safe for use by any thread.
 */
public final class UnexpectedFailures {

    private static final Logger log = LoggerFactory.getLogger(UnexpectedFailures.class);

    private static final Duration INTERVAL = Duration.ofSeconds(1);
    private static final int FRAMES = 6;

    private final DeadlineTimer timer;
    private final Executor answers;
    private final NanoClock clock;

    /** When a line may be written again. */
    private @Nullable Deadline silentUntil;

    private int unsaid;
    private String last = "";

    /** @param answers writes the line that was held back; must not reject */
    public UnexpectedFailures(DeadlineTimer timer, Executor answers, NanoClock clock) {
        this.timer = timer;
        this.answers = answers;
        this.clock = clock;
    }

    /** Says what failed, and names the request. */
    public void log(Exchange exchange, Throwable failure) {
        Request request = exchange.request();
        log(
                "%s %s (request %s)"
                        .formatted(request.getMethod(), request.getHttpURI().getPath(), exchange.requestId()),
                failure);
    }

    /** @param request what failed */
    void log(String request, Throwable failure) {
        log.debug("{} failed unexpectedly", request, failure);
        String what = request + ": " + text(failure);
        synchronized (this) {
            unsaid++;
            last = what;
            Deadline until = silentUntil;
            if (until != null && !until.hasPassed(clock.nanoTime())) {
                if (unsaid == 1) {
                    timer.schedule(new Later(), until);
                }
                return;
            }
        }
        say();
    }

    private final class Later extends Timeout {
        @Override
        protected void deadlinePassed() {
            answers.execute(UnexpectedFailures.this::say);
        }
    }

    private void say() {
        int number;
        String what;
        synchronized (this) {
            number = unsaid;
            what = last;
            unsaid = 0;
            silentUntil = Deadline.after(clock, INTERVAL);
        }
        if (number > 0) {
            log.error("{} requests failed unexpectedly; the last: {}", number, what);
        }
    }

    /** The failure and where it was thrown, in one line. */
    private static String text(Throwable failure) {
        return Arrays.stream(failure.getStackTrace())
                .limit(FRAMES)
                .map(StackTraceElement::toString)
                .collect(Collectors.joining(" < ", failure + " at ", ""));
    }
}
