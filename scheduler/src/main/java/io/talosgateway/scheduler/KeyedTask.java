package io.talosgateway.scheduler;

import org.jspecify.annotations.Nullable;

/**
 * A task of one key, subclassed by what is to be done, so that queueing costs no further object. Submitted at most once.
 * Exactly one of {@link #run} and {@link #abandoned} is called, once.
 *
 * @param <K> the key
 */
public abstract class KeyedTask<K> extends WheelEntry {

    final K key;
    final Priority priority;
    final Deadline deadline;
    final int bytes;

    private boolean submitted;
    private long submittedAtNanos;

    // Guarded by the executor's lock once submitted.
    long sequence;

    @Nullable
    KeyedTask<K> nextOfKey;

    @Nullable
    KeyedTask<K> previousOfKey;

    @Nullable
    KeyQueue<K> queue;

    protected KeyedTask(K key, Priority priority, Deadline deadline) {
        this(key, priority, deadline, 0);
    }

    /** @param bytes memory that the task holds while it is queued */
    protected KeyedTask(K key, Priority priority, Deadline deadline, int bytes) {
        this.key = key;
        this.priority = priority;
        this.deadline = deadline;
        this.bytes = bytes;
    }

    /** Does the work, on a worker. An exception is reported to the listener and ends nothing. */
    protected abstract void run();

    /**
     * The task was queued and will never run: its deadline passed ({@link TaskExpiredException}) or the executor was
     * drained ({@link TaskRejectedException}). Called by the executor's abandonment executor.
     */
    protected abstract void abandoned(Exception reason);

    /** How long the task was queued, in nanoseconds; valid inside {@link #run}. */
    protected final long queuedNanos(long startedAtNanos) {
        return startedAtNanos - submittedAtNanos;
    }

    /** Notes the submission, by the submitter. */
    final void submittedAt(long nowNanos) {
        if (submitted) {
            throw new IllegalStateException("a task is submitted once");
        }
        submitted = true;
        submittedAtNanos = nowNanos;
    }
}
