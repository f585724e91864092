package io.talosgateway.rest.journal.file;

import java.io.IOException;

/** The storage gave back something else than was stored. */
public final class CorruptFrameException extends IOException {

    private static final long serialVersionUID = 1L;

    public CorruptFrameException(JournalFile file, long position, String what) {
        super("%s at position %d of %s".formatted(what, position, file));
    }
}
