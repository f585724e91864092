package io.talosgateway.rest.journal;

import java.util.concurrent.Executor;

/** Where a journal works beside its lanes: threads of its own in a gateway, the caller's in a simulation. */
public interface JournalThreads {

    /** Steps a lane's committer until it has ended. */
    void commit(LaneCommitter committer);

    /** Returns when a committer has ended, which was told to. */
    void awaitEnd(LaneCommitter committer) throws InterruptedException;

    /** Seals after what was given before. */
    void seal(Runnable task);

    /** Seals in a while; if this is closed before, not at all. */
    void sealLater(Runnable task, long delayMs);

    /** For several files at the same time, which the caller waits for: reading, fencing. May reject once it is closed. */
    Executor files();

    /** Does what nobody waits for, some time; may reject once this is closed. */
    void background(Runnable task);

    /** Waits for what was given to {@link #seal} and for what runs, for some time at most; drops everything else. */
    void close();
}
