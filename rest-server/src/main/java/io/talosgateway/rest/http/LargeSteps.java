package io.talosgateway.rest.http;

import java.util.concurrent.Executor;

import io.talosgateway.scheduler.NanoClock;
import org.jspecify.annotations.Nullable;

/** Runs the large steps of one request, one at a time, on threads that serve no connections, and knows how long they took. */
final class LargeSteps implements Executor {

    private final Executor threads;
    private final NanoClock clock;
    /** When the step began that is done; null if none is. Written by one step after another. */
    private @Nullable Long startedAtNanos;

    private long endedNanos;

    LargeSteps(Executor threads, NanoClock clock) {
        this.threads = threads;
        this.clock = clock;
    }

    @Override
    public void execute(Runnable step) {
        threads.execute(() -> {
            startedAtNanos = clock.nanoTime();
            step.run();
            endedNanos = workedNanos();
            startedAtNanos = null;
        });
    }

    /** What the steps have taken so far; for the step that is done, or after it. */
    long workedNanos() {
        Long startedAt = startedAtNanos;
        return endedNanos + (startedAt == null ? 0 : clock.nanoTime() - startedAt);
    }
}
