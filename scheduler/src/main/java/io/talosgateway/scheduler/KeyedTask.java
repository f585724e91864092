package io.talosgateway.scheduler;

import org.jspecify.annotations.Nullable;

/**
 * A task of one key, subclassed by what is to be done, so that queueing costs no further object. Submitted at most once.
 * Exactly one of {@link #run} and {@link #abandoned} is called, once.
 *
 * @param <K> the key
 */
public abstract class KeyedTask<K> extends Timeout {

    final K key;
    final Priority priority;
    final Deadline deadline;

    // Guarded by the executor's lock once submitted.
    long sequence;
    long submittedAtNanos;

    @Nullable
    KeyedTask<K> nextOfKey;

    @Nullable
    KeyedTask<K> previousOfKey;

    @Nullable
    KeyQueue<K> queue;
    /** The timer called before the task was queued. */
    boolean expiredEarly;

    @Nullable
    KeyedThreadPool<K> executor;

    protected KeyedTask(K key, Priority priority, Deadline deadline) {
        this.key = key;
        this.priority = priority;
        this.deadline = deadline;
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

    @Override
    protected final void deadlinePassed() {
        KeyedThreadPool<K> pool = executor;
        if (pool != null) {
            pool.expire(this);
        }
    }
}
