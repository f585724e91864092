package io.talosgateway.loadgen.experiment;

import java.time.Duration;

import io.talosgateway.loadgen.plan.Warmup;

/**
 * What the user has said, with the experiment's own values for the rest.
 *
 * @param rounds how often each trial is made
 * @param duration load that counts
 * @param dataNodes how many DataNodes HDFS has, and how many of them hold each message
 * @param seed of the loads
 */
record TrialSettings(
        Scale scale, StorageKind storage, int rounds, Warmup warmup, Duration duration, int dataNodes, long seed) {

    /** If the user does not say otherwise. */
    static final int DATA_NODES = 1;

    static final long SEED = 1;

    /** What starting and ending the processes of a trial takes, about. */
    private static final Duration AROUND = Duration.ofSeconds(12);
    /** How long it takes until a rate has stopped rising, about. */
    private static final Duration SETTLING = Duration.ofSeconds(20);

    private static final long SECONDS_UP_TO = 90;

    /** About, as people say it: {@code 40 s}, {@code 4 min}, {@code 2 h 5 min}. */
    static String text(Duration duration) {
        long seconds = duration.toSeconds();
        if (seconds < SECONDS_UP_TO) {
            return seconds + " s";
        }
        long minutes = Math.round(seconds / 60.0);
        return minutes < 60 ? minutes + " min" : "%d h %d min".formatted(minutes / 60, minutes % 60);
    }

    /** How long there is load in a trial, about. */
    Duration ofLoad() {
        return (warmup.untilSettled() ? SETTLING : warmup.most()).plus(duration);
    }

    /** What a trial takes, about. */
    Duration ofTrial() {
        return ofLoad().plus(AROUND);
    }

    /** For people. */
    String warmupText() {
        return warmup.untilSettled()
                ? "with a warm-up until the rate stops rising (%d s at most)"
                        .formatted(warmup.most().toSeconds())
                : "with %d s of warm-up".formatted(warmup.most().toSeconds());
    }
}
