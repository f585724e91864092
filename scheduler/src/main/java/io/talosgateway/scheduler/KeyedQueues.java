package io.talosgateway.scheduler;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * The decisions of {@link KeyedThreadPool}: which worker a key is bound to, which task a worker runs next, what is
 * refused. A pure model: no thread, lock or clock; not safe for use by several threads.
 *
 * <p>A key is <i>idle</i> while nothing of it is queued or running, <i>ready</i> while something is queued and nothing is
 * running. The first task of an idle key binds the key to a worker until it is idle again.
 */
final class KeyedQueues<K> {

    private final PlacementPolicy policy;
    private final int maxQueuedPerKey;
    private final int maxQueued;
    private final int maxBypasses;
    private final Map<K, KeyQueue<K>> busyKeys = new HashMap<>();
    /** By worker, then priority. */
    private final List<List<ReadyKeys<K>>> ready = new ArrayList<>();

    private final int[] loads;
    private final PlacementPolicy.Loads loadView;
    private int queued;
    private int running;
    private long bypassCount;
    private long nextSequence;

    KeyedQueues(int workers, PlacementPolicy policy, int maxQueuedPerKey, int maxQueued, int maxBypasses) {
        this.policy = policy;
        this.maxQueuedPerKey = maxQueuedPerKey;
        this.maxQueued = maxQueued;
        this.maxBypasses = maxBypasses;
        this.loads = new int[workers];
        this.loadView = new PlacementPolicy.Loads() {
            @Override
            public int workers() {
                return loads.length;
            }

            @Override
            public int load(int worker) {
                return loads[worker];
            }
        };
        for (int worker = 0; worker < workers; worker++) {
            List<ReadyKeys<K>> byPriority = new ArrayList<>();
            for (int priority = 0; priority < Priority.COUNT; priority++) {
                byPriority.add(new ReadyKeys<>());
            }
            ready.add(byPriority);
        }
    }

    /** Tasks queued, not running. */
    int queued() {
        return queued;
    }

    int running() {
        return running;
    }

    /** Keys that are not idle. */
    int busyKeys() {
        return busyKeys.size();
    }

    /** How often a ready key was passed over for one of higher priority. */
    long bypassCount() {
        return bypassCount;
    }

    int load(int worker) {
        return loads[worker];
    }

    /**
     * Queues a task.
     *
     * @return the worker it is bound to
     * @throws TaskRejectedException if a bound is reached; nothing has changed
     */
    int add(KeyedTask<K> task) {
        if (queued >= maxQueued) {
            throw new TaskRejectedException(
                    TaskRejectedException.Reason.EXECUTOR_FULL, queued + " tasks are queued, which is the limit");
        }
        KeyQueue<K> queue = busyKeys.get(task.key);
        if (queue != null && queue.size >= maxQueuedPerKey) {
            throw new TaskRejectedException(
                    TaskRejectedException.Reason.KEY_FULL,
                    queue.size + " tasks of key " + task.key + " are queued, which is the limit");
        }
        if (queue == null) {
            queue = new KeyQueue<>(task.key, policy.workerFor(task.key, loadView));
            busyKeys.put(task.key, queue);
        }
        task.sequence = nextSequence++;
        queue.append(task);
        queued++;
        loads[queue.worker]++;
        if (queue.size == 1 && !queue.running) {
            makeReady(queue);
        }
        return queue.worker;
    }

    /** Takes the task that the worker runs next, or null if it has none; its key runs until {@link #finished}. */
    @Nullable
    KeyedTask<K> next(int worker) {
        KeyQueue<K> queue = choose(ready.get(worker));
        if (queue == null) {
            return null;
        }
        withdraw(queue);
        queue.bypasses = 0;
        KeyedTask<K> task = queue.oldest();
        queue.unlink(task);
        queue.running = true;
        queued--;
        running++;
        return task;
    }

    /** The task that {@link #next} gave for this key has run. */
    void finished(K key) {
        KeyQueue<K> queue = busyKeys.get(key);
        if (queue == null || !queue.running) {
            throw new IllegalStateException("key " + key + " is not running");
        }
        queue.running = false;
        running--;
        loads[queue.worker]--;
        makeReadyOrIdle(queue);
    }

    /** Removes a queued task; false if it is not queued any more. */
    boolean remove(KeyedTask<K> task) {
        KeyQueue<K> queue = task.queue;
        if (queue == null) {
            return false;
        }
        queued--;
        loads[queue.worker]--;
        if (queue.head == task && queue.heapIndex >= 0) {
            withdraw(queue);
            queue.unlink(task);
            makeReadyOrIdle(queue);
        } else {
            queue.unlink(task);
        }
        return true;
    }

    /** Removes all queued tasks. */
    List<KeyedTask<K>> removeAll() {
        List<KeyedTask<K>> removed = new ArrayList<>();
        for (KeyQueue<K> queue : List.copyOf(busyKeys.values())) {
            for (KeyedTask<K> task = queue.head; task != null; task = queue.head) {
                remove(task);
                removed.add(task);
            }
        }
        return removed;
    }

    private void makeReadyOrIdle(KeyQueue<K> queue) {
        if (queue.size > 0) {
            makeReady(queue);
        } else {
            busyKeys.remove(queue.key);
        }
    }

    private void makeReady(KeyQueue<K> queue) {
        queue.readyPriority = queue.oldest().priority;
        ready.get(queue.worker).get(queue.readyPriority.rank).add(queue);
    }

    private void withdraw(KeyQueue<K> queue) {
        ready.get(queue.worker).get(queue.readyPriority.rank).remove(queue);
    }

    /** The oldest key of the highest priority, unless one of lower priority has been passed over as often as it may. */
    private @Nullable KeyQueue<K> choose(List<ReadyKeys<K>> byPriority) {
        KeyQueue<K> chosen = null;
        for (ReadyKeys<K> keys : byPriority) {
            KeyQueue<K> first = keys.first();
            if (first != null && (chosen == null || first.bypasses >= maxBypasses)) {
                chosen = first;
            }
        }
        if (chosen != null) {
            for (int lower = chosen.readyPriority.rank + 1; lower < Priority.COUNT; lower++) {
                KeyQueue<K> passedOver = byPriority.get(lower).first();
                if (passedOver != null) {
                    passedOver.bypasses++;
                    bypassCount++;
                }
            }
        }
        return chosen;
    }

    /** Throws if the parts of the model contradict each other; for tests. */
    void checkInvariants() {
        int tasks = 0;
        int runningKeys = 0;
        int[] expectedLoads = new int[loads.length];
        for (KeyQueue<K> queue : busyKeys.values()) {
            check(queue.size > 0 || queue.running, "an idle key is forgotten");
            check((queue.heapIndex >= 0) == (queue.size > 0 && !queue.running), "a key is ready or not");
            check(queue.bypasses <= maxBypasses, "a key is passed over too often");
            int size = 0;
            long previous = -1;
            for (KeyedTask<K> task = queue.head; task != null; task = task.nextOfKey) {
                check(task.sequence > previous, "tasks of a key are in order of submission");
                previous = task.sequence;
                size++;
            }
            check(size == queue.size, "the size is what is linked");
            tasks += size;
            runningKeys += queue.running ? 1 : 0;
            expectedLoads[queue.worker] += size + (queue.running ? 1 : 0);
        }
        check(tasks == queued, "every queued task is in the queue of a key");
        check(runningKeys == running, "every running task belongs to a running key");
        for (int worker = 0; worker < loads.length; worker++) {
            check(expectedLoads[worker] == loads[worker], "the load is what is queued and running");
        }
    }

    private static void check(boolean holds, String invariant) {
        if (!holds) {
            throw new IllegalStateException("violated: " + invariant);
        }
    }
}
