package io.talosgateway.doctor;

import org.jspecify.annotations.Nullable;

/**
 * What a check has found.
 *
 * @param text one sentence
 * @param advice what the operator should do; null if nothing
 */
public record Finding(Level level, String text, @Nullable String advice) {

    /** How bad it is. */
    public enum Level {
        OK,
        /** The gateway works, but not as well, or not for much longer. */
        WARN,
        /** The gateway does not start, or not serve. */
        FAIL
    }
}
