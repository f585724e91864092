package io.talosgateway.scheduler;

/** The deadline of a task passed before the task started. It never runs. */
public final class TaskExpiredException extends Exception {

    private static final long serialVersionUID = 1L;

    public TaskExpiredException() {
        // Thrown in numbers under overload: no stack trace, there is nothing to see in it.
        super("the deadline passed while the task was queued", null, false, false);
    }
}
