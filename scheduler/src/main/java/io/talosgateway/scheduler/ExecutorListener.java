package io.talosgateway.scheduler;

/**
 * Hears what an executor does, to count and time it. Called on the thread where it happens, under no lock of the executor,
 * so that what happens on two threads at the same time may be heard in either order. Must be quick and must not throw.
 */
public interface ExecutorListener {

    /** Hears nothing. */
    ExecutorListener NONE = new ExecutorListener() {};

    /** A task was bound to a worker. */
    default void queued(int worker) {}

    /** So many ready keys were passed over for one of higher priority. */
    default void bypassed(int worker, int keys) {}

    /** A task starts after {@code queuedNanos} in the queue. */
    default void started(int worker, long queuedNanos) {}

    /** A task ran for {@code runNanos}. */
    default void finished(int worker, long runNanos) {}

    /** A task threw; the executor goes on. */
    default void failed(Throwable failure) {}

    /** A task's deadline passed after {@code queuedNanos} in the queue. */
    default void expired(long queuedNanos) {}

    /** A submission was refused. */
    default void rejected(TaskRejectedException.Reason reason) {}
}
