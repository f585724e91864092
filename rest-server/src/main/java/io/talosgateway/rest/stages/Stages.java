package io.talosgateway.rest.stages;

import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Collectors;

import io.talosgateway.scheduler.NanoClock;
import org.jspecify.annotations.Nullable;

/**
 * When one request passed which stages, in nanoseconds of the clock of this host: on Linux, all processes of a host have the
 * same ({@code CLOCK_MONOTONIC}). A stage that is passed again, because the request was tried again, has its last time. Made
 * only for requests that ask; all others carry null, which every method here takes.
 *
 * <p>Safe for use by any thread.
 */
public final class Stages {

    private final NanoClock clock;
    /** In the order of the way. Guarded by itself. */
    private final Map<Stage, Long> times = new EnumMap<>(Stage.class);

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
        synchronized (times) {
            times.put(stage, atNanos);
        }
    }

    /** The stages that it has passed with their times, as {@code received=17,answered=25}. */
    public String text() {
        synchronized (times) {
            return times.entrySet().stream()
                    .map(passed -> passed.getKey().text() + "=" + passed.getValue())
                    .collect(Collectors.joining(","));
        }
    }
}
