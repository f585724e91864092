package io.talosgateway.rest.stages;

import java.util.concurrent.atomic.AtomicLongArray;

import io.talosgateway.scheduler.NanoClock;
import org.jspecify.annotations.Nullable;

/**
 * When one request passed which stages, in nanoseconds of the clock of this host: on Linux, all processes of a host have the
 * same ({@code CLOCK_MONOTONIC}). A stage that is passed again, because the request was tried again, has its last time. Requests of
 * which nobody wants to know carry null, which {@link #stamp(Stages, Stage)} takes.
 *
 * <p>Safe for use by any thread.
 */
public final class Stages {

    private static final Stage[] STAGES = Stage.values();
    /** Stands for a stage that was not passed. */
    private static final long NEVER = 0;

    private final NanoClock clock;
    private final AtomicLongArray times = new AtomicLongArray(STAGES.length);

    public Stages(NanoClock clock) {
        this.clock = clock;
    }

    /** It passes a stage now. */
    public static void stamp(@Nullable Stages stages, Stage stage) {
        if (stages != null) {
            stages.stamp(stage, stages.clock.nanoTime());
        }
    }

    /** It passed a stage at a time on the clock. */
    public void stamp(Stage stage, long atNanos) {
        times.setRelease(stage.place(), atNanos == NEVER ? NEVER + 1 : atNanos);
    }

    public boolean passed(Stage stage) {
        return times.getAcquire(stage.place()) != NEVER;
    }

    /** When it passed a stage, on the clock; of a stage that it has passed. */
    public long atNanos(Stage stage) {
        return times.getAcquire(stage.place());
    }

    /** The stages that it has passed with their times, as {@code received=17,answered=25}. */
    public String text() {
        StringBuilder text = new StringBuilder();
        for (Stage stage : STAGES) {
            if (passed(stage)) {
                text.append(text.isEmpty() ? "" : ",")
                        .append(stage.text())
                        .append('=')
                        .append(atNanos(stage));
            }
        }
        return text.toString();
    }
}
