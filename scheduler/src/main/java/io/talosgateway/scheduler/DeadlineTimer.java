package io.talosgateway.scheduler;

/**
 * Calls back when deadlines pass, within a few milliseconds. Scheduling and cancelling cost the same however many
 * timeouts there are. Safe for use by any thread, including from a callback.
 */
public interface DeadlineTimer {

    /** Has {@code timeout} called back once after {@code deadline}; does nothing for {@link Deadline#NONE}. */
    void schedule(Timeout timeout, Deadline deadline);

    /**
     * Withdraws a timeout.
     *
     * @return true if it will not be called back; false if it has been, is being, or was never scheduled
     */
    boolean cancel(Timeout timeout);
}
