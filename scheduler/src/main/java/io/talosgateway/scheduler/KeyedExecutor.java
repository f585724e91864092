package io.talosgateway.scheduler;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

/**
 * Runs tasks of the same key one at a time and in order, and tasks of different keys in parallel, on a fixed set of
 * workers.
 *
 * <h2>Placement</h2>
 *
 * A key is <i>idle</i> when nothing of it is queued or running. The first task of an idle key binds the key to a worker,
 * chosen by the {@link PlacementPolicy}, and the key stays there until it is idle again.
 *
 * <h2>Order</h2>
 *
 * Tasks of one key start in submission order whatever their priority, and the effects of one are visible to the next.
 * Between the ready keys of one worker, the key whose oldest task has the higher priority runs first, then the one whose
 * oldest task is older. A key that is first among those of its priority is passed over for higher ones at most {@link
 * #maxBypasses()} times in a row, so low priority is slow, not starved.
 *
 * <h2>Expiry</h2>
 *
 * A task whose deadline passes while it is queued never runs; it is {@linkplain KeyedTask#abandoned abandoned} with {@link
 * TaskExpiredException} within a few milliseconds of the deadline, however long the tasks before it take. A running task
 * is never interrupted.
 *
 * <h2>Capacity</h2>
 *
 * Queued tasks are bounded per key, per worker and in total, in number and bytes. A submission over a bound is refused at
 * once, and so is one that would probably wait past its deadline; nothing is dropped later to make room.
 *
 * <p>Safe for use by any thread, including from inside a task. No method blocks except {@link #drain}. A task must not
 * wait for another task of the same executor: it may be bound to the same worker.
 *
 * @param <K> the key; {@code equals} and {@code hashCode} must not change while it is not idle
 */
public interface KeyedExecutor<K> {

    /**
     * Queues {@code task} behind all earlier tasks of its key.
     *
     * @throws TaskRejectedException if a bound is reached, the task would come too late, or {@link #drain} has begun (see
     *     {@link TaskRejectedException#reason()}); the task was not queued and neither of its methods is called
     */
    void execute(KeyedTask<K> task);

    /**
     * The same, but a task that would run at once, since its key is idle and a worker has nothing to do, may run on the calling thread
     * before the call returns, in place of that worker. This saves two threads a wake-up. Only for tasks that are short and never block.
     */
    default void runOrQueue(KeyedTask<K> task) {
        execute(task);
    }

    /**
     * Queues {@code task} behind all earlier tasks of {@code key}.
     *
     * @return completed by the worker with the task's result or its exception; dependents that may block must be attached
     *     with an executor of their own
     * @throws TaskRejectedException as {@link #execute}
     */
    default <T> CompletableFuture<T> submit(K key, Priority priority, Deadline deadline, Callable<T> task) {
        CompletableFuture<T> future = new CompletableFuture<>();
        execute(new KeyedTask<>(key, priority, deadline) {
            @Override
            protected void run() {
                try {
                    future.complete(task.call());
                } catch (Exception e) {
                    future.completeExceptionally(e);
                }
            }

            @Override
            protected void abandoned(Exception reason) {
                future.completeExceptionally(reason);
            }
        });
        return future;
    }

    /**
     * Refuses new tasks, lets queued ones start until {@code deadline}, and returns when no task is running.
     *
     * @return the number of queued tasks given up at the deadline, which are abandoned with {@link TaskRejectedException};
     *     0 if all were run. Later calls return the same number.
     * @throws InterruptedException if interrupted; draining goes on and may be awaited again
     */
    int drain(Deadline deadline) throws InterruptedException;

    /** How often in a row a ready key may be passed over for one of higher priority; positive. */
    int maxBypasses();
}
