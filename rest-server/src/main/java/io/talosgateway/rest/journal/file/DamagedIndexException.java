package io.talosgateway.rest.journal.file;

import java.io.IOException;

/** An index file is not whole. What it says is in the footers of the journal files, too. */
public final class DamagedIndexException extends IOException {

    private static final long serialVersionUID = 1L;

    DamagedIndexException(String path) {
        super(path + " is damaged or incomplete");
    }
}
