package io.talosgateway.rest.journal;

import java.io.IOException;

/** Another incarnation has taken over this journal: nothing may be acknowledged by its writer any more. */
public final class JournalFencedException extends IOException {

    private static final long serialVersionUID = 1L;

    public JournalFencedException(JournalId journal) {
        super("Journal " + journal + " was taken over by another incarnation");
    }
}
