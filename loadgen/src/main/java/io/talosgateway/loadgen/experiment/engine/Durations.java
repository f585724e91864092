package io.talosgateway.loadgen.experiment.engine;

import java.time.Duration;

/** How long something takes, about, as people say it. Stateless. */
final class Durations {

    private static final long SECONDS_UP_TO = 90;

    private Durations() {}

    /** {@code 40 s}, {@code 4 min}, {@code 2 h 5 min}. */
    static String text(Duration duration) {
        long seconds = duration.toSeconds();
        if (seconds < SECONDS_UP_TO) {
            return seconds + " s";
        }
        long minutes = Math.round(seconds / 60.0);
        return minutes < 60 ? minutes + " min" : "%d h %d min".formatted(minutes / 60, minutes % 60);
    }
}
