package io.talosgateway.loadgen.experiment.engine;

import java.time.Duration;

/**
 * How often, and for how long.
 *
 * @param rounds how often each trial is made
 * @param warmup load before anything counts
 * @param duration load that counts
 */
public record Timing(int rounds, Duration warmup, Duration duration) {

    /** What starting and ending the processes of a trial takes, about. */
    private static final Duration AROUND = Duration.ofSeconds(12);

    public static Timing of(int rounds, int warmupSeconds, int seconds) {
        return new Timing(rounds, Duration.ofSeconds(warmupSeconds), Duration.ofSeconds(seconds));
    }

    /** What a trial takes, about. */
    public Duration ofTrial() {
        return warmup.plus(duration).plus(AROUND);
    }
}
