package io.talosgateway.rest.journal;

/** What commits the puts of a lane, step by step. For one thread at a time. */
public interface LaneCommitter {

    /** Name of the lane. */
    String name();

    /**
     * Commits a group, or makes the next attempt at one that failed; waits for work if there is none.
     *
     * @param maxWaitNanos how long it may wait; it may return sooner
     * @return false once it has ended: it must not be called again
     */
    boolean step(long maxWaitNanos) throws InterruptedException;

    /** No step is made any more, because the last one threw this, or was interrupted. */
    void ended(Throwable reason);
}
