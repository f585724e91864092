package io.talosgateway.rest.journal;

import java.io.IOException;

/** The storage has no room: a full disk, or a quota of space or names. */
public final class StorageFullException extends IOException {

    private static final long serialVersionUID = 1L;

    public StorageFullException(String message, Throwable cause) {
        super(message, cause);
    }
}
