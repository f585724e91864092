package io.talosgateway.rest.journal.recovery;

import java.io.IOException;

import io.talosgateway.rest.journal.JournalId;

/** Takes over what writers have left that are gone. For any thread; blocks. */
@FunctionalInterface
public interface JournalTakeOver {

    /**
     * Takes a journal over, as {@link JournalRecovery} does, if its writer is gone.
     *
     * @return false if its writer is not gone
     */
    boolean ifGone(JournalId journal) throws IOException;
}
