package io.talosgateway.loadgen.cli;

import org.jspecify.annotations.Nullable;

/** A run cannot be done, or cannot go on; the message is one sentence for the user. */
public final class LoadFailure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public LoadFailure(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    public LoadFailure(String message) {
        this(message, null);
    }

    /** @param rule the message if it does not hold */
    public static void check(boolean holds, String rule) {
        if (!holds) {
            throw new LoadFailure(rule);
        }
    }
}
