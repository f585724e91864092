package io.talosgateway.loadgen.experiment.engine;

/**
 * Two variants whose ratio is shown.
 *
 * @param of whose values are divided
 * @param by those of this one, of the same round and the same load
 */
public record Contrast(String of, String by) {

    String text() {
        return of + " : " + by;
    }
}
