package io.talosgateway.loadgen.experiment.engine;

import com.fasterxml.jackson.annotation.JsonCreator;

/**
 * Two variants whose ratio is shown.
 *
 * @param of whose values are divided
 * @param by those of this one, of the same round and the same load
 */
record Contrast(String of, String by) {

    private static final String OVER = " : ";

    /** Reads {@code of : by}. */
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    static Contrast parse(String text) {
        int at = text.indexOf(OVER);
        if (at < 0) {
            throw new IllegalArgumentException("'%s' is not two variants with a colon between them".formatted(text));
        }
        return new Contrast(text.substring(0, at), text.substring(at + OVER.length()));
    }

    String text() {
        return of + OVER + by;
    }
}
