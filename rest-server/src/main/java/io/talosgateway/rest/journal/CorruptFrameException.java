package io.talosgateway.rest.journal;

import java.io.IOException;

/** The storage gave back something else than was stored. */
final class CorruptFrameException extends IOException {

    private static final long serialVersionUID = 1L;

    CorruptFrameException(JournalFile file, long position, String what) {
        super("%s at position %d of %s".formatted(what, position, file));
    }
}
