package io.talosgateway.rest.journal;

/** Where files are sealed: a thread of its own in a gateway, the caller's in a simulation. */
public interface SealingThread {

    /** Runs a task after those given before. */
    void execute(Runnable task);

    /** Runs a task in a while; if this is closed before, not at all. */
    void executeLater(Runnable task, long delayMs);

    /** Waits for the tasks that were given to {@link #execute}, for some time at most; drops those for later. */
    void close();
}
