package io.talosgateway.loadgen.measure;

/** Which of two values of a measure is the better one. */
public enum Better {
    MORE,
    LESS,
    NEITHER;

    /** Whether the first of two is better, by their ratio. */
    public boolean holds(double ratio) {
        return this == MORE ? ratio > 1 : this == LESS && ratio < 1;
    }
}
