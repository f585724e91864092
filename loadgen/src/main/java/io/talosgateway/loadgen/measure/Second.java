package io.talosgateway.loadgen.measure;

import org.jspecify.annotations.Nullable;

/**
 * A second of a run. Requests belong to the second in which they were answered.
 *
 * @param atSeconds when it began, since the end of the warm-up
 * @param seconds how long it was: one, but the last one takes in what is left, and the answers that came after the end
 * @param put null without producers
 * @param get null without readers
 */
public record Second(
        double atSeconds,
        double seconds,
        @Nullable KindSecond put,
        @Nullable KindSecond get) {}
