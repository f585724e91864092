package io.talosgateway.rest.journal;

import java.util.concurrent.Executor;

/** Where a journal works beside its lanes: threads of its own in a gateway, the caller's in a simulation. */
public interface JournalThreads {

    /** Seals after what was given before. */
    void seal(Runnable task);

    /** Seals in a while; if this is closed before, not at all. */
    void sealLater(Runnable task, long delayMs);

    /** For several files at the same time: reading, fencing. May reject once it is closed. */
    Executor files();

    /** Waits for what was given to {@link #seal}, for some time at most; drops everything else. */
    void close();
}
