package io.talosgateway.wire.message.format;

import org.jspecify.annotations.Nullable;

/** A block cannot be opened: its bytes are not what its compression or format says, or it is too large when opened. */
public final class UndecodableBlockException extends Exception {

    private static final long serialVersionUID = 1L;

    UndecodableBlockException(String message) {
        this(message, null);
    }

    UndecodableBlockException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
