package io.talosgateway.scheduler;

/** A task was refused, or given up by {@link KeyedExecutor#drain}. It never runs. */
public final class TaskRejectedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Why a task was refused. */
    public enum Reason {
        /** As many tasks of this key are queued as may be, in number or bytes. */
        KEY_FULL,
        /** As many tasks are bound to the key's worker as may be. */
        WORKER_FULL,
        /** As many tasks are queued as may be. */
        EXECUTOR_FULL,
        /** Its turn would come after its deadline, as long as tasks take now. */
        TOO_LATE,
        /** The executor is being drained. */
        DRAINING
    }

    private final Reason reason;

    public TaskRejectedException(Reason reason, String message) {
        // Thrown in numbers under overload: no stack trace, there is nothing to see in it.
        super(message, null, false, false);
        this.reason = reason;
    }

    public Reason reason() {
        return reason;
    }
}
