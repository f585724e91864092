package io.talosgateway.loadgen.experiment.engine;

import com.fasterxml.jackson.annotation.JsonCreator;

/**
 * Something that is measured of a trial.
 *
 * @param key in {@code result.json}
 * @param title of a column
 * @param better which of two values is the better one
 */
record Metric(String key, String title, Better better) {

    /** Which of two values is the better one. */
    enum Better {
        MORE,
        LESS,
        NEITHER
    }

    /** One of {@link Metrics}, by its key. */
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    static Metric of(String key) {
        return Metrics.of(key);
    }

    /** Whether the first of two is better, by their ratio. */
    boolean isBetter(double ratio) {
        return better == Better.MORE ? ratio > 1 : better == Better.LESS && ratio < 1;
    }
}
