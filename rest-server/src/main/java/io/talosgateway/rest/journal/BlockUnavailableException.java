package io.talosgateway.rest.journal;

import java.io.IOException;

/** No host of the storage that is up has what was stored. It may come back: after a power cut, some start later than others. */
public final class BlockUnavailableException extends IOException {

    private static final long serialVersionUID = 1L;

    public BlockUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
