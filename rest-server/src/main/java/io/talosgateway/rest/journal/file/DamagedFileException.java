package io.talosgateway.rest.journal.file;

import java.io.IOException;

/** Bytes of a journal file are damaged that were durable, and maybe acknowledged, once. */
public final class DamagedFileException extends IOException {

    private static final long serialVersionUID = 1L;

    DamagedFileException(JournalFileId file, long position, long durablePosition) {
        super(
                ("%s is damaged at position %d, although everything up to position %d had been made durable. Restore the file "
                                + "from a backup, or give up its damaged messages with journal.accept-damage=true")
                        .formatted(file, position, durablePosition));
    }
}
