package io.talosgateway.cli;

import org.jspecify.annotations.Nullable;

/** A command could not do its work; the message is one sentence for the user. */
final class CommandFailure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    CommandFailure(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    CommandFailure(String message) {
        this(message, null);
    }
}
