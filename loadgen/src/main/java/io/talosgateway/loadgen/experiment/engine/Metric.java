package io.talosgateway.loadgen.experiment.engine;

/**
 * Something that is measured of a trial.
 *
 * @param key in {@code result.json}
 * @param title of a column
 * @param better which of two values is the better one
 */
public record Metric(String key, String title, Better better) {

    /** Which of two values is the better one. */
    public enum Better {
        MORE,
        LESS,
        NEITHER
    }

    /** Whether the first of two is better, by their ratio. */
    boolean isBetter(double ratio) {
        return better == Better.MORE ? ratio > 1 : better == Better.LESS && ratio < 1;
    }
}
