package io.talosgateway.rest.coordination;

import java.io.IOException;

/** Lets one host at a time recover a journal. Nothing but how often files are read depends on it. */
public interface RecoveryClaims {

    /** What is done meanwhile. */
    @FunctionalInterface
    interface Recovery {
        void run() throws IOException;
    }

    /** Whether nobody has to wait any more. */
    @FunctionalInterface
    interface Done {
        boolean isDone() throws IOException;
    }

    /**
     * Waits until nobody else has the claim on the journal, for some time at most; then runs, with the claim or without. Once
     * {@code done}, it runs at once and without the claim: hundreds of hosts may want the same journal.
     */
    void claim(String journal, Done done, Recovery recovery) throws IOException;
}
