package io.talosgateway.scheduler;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/**
 * What one worker is to do, and in which order. A pure model: no thread, lock or clock; not safe for use by several threads.
 *
 * <p>A key is <i>ready</i> while something of it is queued and nothing is running.
 */
final class WorkerQueue<K> {

    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final int TICKS_PER_TURN = 512;

    final int worker;
    private final int maxBypasses;
    /** By priority. */
    private final List<ReadyKeys<K>> ready = new ArrayList<>();
    /** The queued tasks that have a deadline. */
    private final TimerWheel<KeyedTask<K>> deadlines;

    private final int[] queuedByRank = new int[Priority.COUNT];
    private int queued;
    private long bytes;
    private int bypasses;
    private long nextSequence;
    private @Nullable KeyQueue<K> running;
    /** As many as were in use at once, at most. */
    private @Nullable KeyQueue<K> unused;

    WorkerQueue(int worker, int maxBypasses, long nowNanos) {
        this.worker = worker;
        this.maxBypasses = maxBypasses;
        this.deadlines = new TimerWheel<>(TICK_NANOS, TICKS_PER_TURN, nowNanos);
        for (int rank = 0; rank < Priority.COUNT; rank++) {
            ready.add(new ReadyKeys<>());
        }
    }

    /** Tasks queued, not running. */
    int queued() {
        return queued;
    }

    /** Bytes that queued tasks hold. */
    long bytes() {
        return bytes;
    }

    boolean isRunning() {
        return running != null;
    }

    /** How many ready keys the last {@link #next} passed over for one of higher priority. */
    int bypasses() {
        return bypasses;
    }

    /** Tasks that would run before a new one of this priority, as far as can be said now. */
    int tasksBefore(Priority priority) {
        int before = running == null ? 0 : 1;
        for (int rank = 0; rank <= priority.rank(); rank++) {
            before += queuedByRank[rank];
        }
        return before;
    }

    /** A queue for a key that is idle. */
    KeyQueue<K> begin(K key) {
        KeyQueue<K> queue = unused;
        if (queue == null) {
            queue = new KeyQueue<>(worker);
        } else {
            unused = queue.nextUnused;
        }
        queue.begin(key);
        return queue;
    }

    /** The key of this queue is idle. */
    void end(KeyQueue<K> queue) {
        queue.end();
        queue.nextUnused = unused;
        unused = queue;
    }

    /** Queues a task behind those of its key. */
    void add(KeyQueue<K> queue, KeyedTask<K> task) {
        task.sequence = nextSequence++;
        queue.append(task);
        count(task, 1);
        if (task.deadline.isSet()) {
            deadlines.add(task, task.deadline.atNanos());
        }
        if (queue.size == 1 && queue != running) {
            makeReady(queue);
        }
    }

    private void count(KeyedTask<K> task, int tasks) {
        queued += tasks;
        bytes += (long) tasks * task.bytes;
        queuedByRank[task.priority.rank()] += tasks;
    }

    /** Takes the task that runs next, or null if there is none; its key runs until it is {@link #finished}. */
    @Nullable
    KeyedTask<K> next() {
        KeyQueue<K> queue = choose();
        if (queue == null) {
            return null;
        }
        withdraw(queue);
        queue.bypasses = 0;
        KeyedTask<K> task = queue.oldest();
        unlink(queue, task);
        running = queue;
        return task;
    }

    /** A task of a key that was idle runs, and was not queued; until {@link #finished}. */
    void start(KeyQueue<K> queue) {
        running = queue;
    }

    /** The task that runs has ended; null if there is none, else the queue of its key, which may be empty now. */
    @Nullable
    KeyQueue<K> finished() {
        KeyQueue<K> queue = running;
        running = null;
        if (queue != null && queue.size > 0) {
            makeReady(queue);
        }
        return queue;
    }

    /** Removes a queued task of this worker, and gives the queue of its key, which may be empty now. */
    KeyQueue<K> remove(KeyedTask<K> task) {
        KeyQueue<K> queue = Objects.requireNonNull(task.queue, "a queued task");
        boolean wasFirst = queue.head == task && queue.heapIndex >= 0;
        if (wasFirst) {
            withdraw(queue);
        }
        unlink(queue, task);
        if (wasFirst && queue.size > 0) {
            makeReady(queue);
        }
        return queue;
    }

    private void unlink(KeyQueue<K> queue, KeyedTask<K> task) {
        queue.unlink(task);
        deadlines.remove(task);
        count(task, -1);
    }

    /** Whether nothing of the key is queued or running. */
    boolean isIdle(KeyQueue<K> queue) {
        return queue.size == 0 && queue != running;
    }

    /** Lists the queued tasks whose deadline has passed; they are waited for no longer. */
    void expired(long nowNanos, Consumer<KeyedTask<K>> expired) {
        deadlines.advance(nowNanos, expired);
    }

    /** In how many nanoseconds {@link #expired} may find something, at the earliest; a large number if never. */
    long nanosToNextExpiry(long nowNanos) {
        return deadlines.nanosToNextSlot(nowNanos);
    }

    /** Any queued task; null if there is none. */
    @Nullable
    KeyedTask<K> any() {
        if (running != null && running.size > 0) {
            return running.oldest();
        }
        for (ReadyKeys<K> keys : ready) {
            KeyQueue<K> first = keys.first();
            if (first != null) {
                return first.oldest();
            }
        }
        return null;
    }

    private void makeReady(KeyQueue<K> queue) {
        queue.readyPriority = queue.oldest().priority;
        ready.get(queue.readyPriority.rank()).add(queue);
    }

    private void withdraw(KeyQueue<K> queue) {
        ready.get(queue.readyPriority.rank()).remove(queue);
    }

    /** The oldest key of the highest priority, unless one of lower priority has been passed over as often as it may. */
    private @Nullable KeyQueue<K> choose() {
        bypasses = 0;
        if (queued == 0) {
            return null;
        }
        KeyQueue<K> chosen = null;
        for (ReadyKeys<K> keys : ready) {
            KeyQueue<K> first = keys.first();
            if (first != null && (chosen == null || first.bypasses >= maxBypasses)) {
                chosen = first;
            }
        }
        if (chosen != null) {
            for (int lower = chosen.readyPriority.rank() + 1; lower < Priority.COUNT; lower++) {
                KeyQueue<K> passedOver = ready.get(lower).first();
                if (passedOver != null) {
                    passedOver.bypasses++;
                    bypasses++;
                }
            }
        }
        return chosen;
    }

    /** Throws if the parts of the model contradict each other, or these queues, which are all of its busy keys; for tests. */
    void checkInvariants(List<KeyQueue<K>> busy) {
        int tasks = 0;
        int timed = 0;
        long expectedBytes = 0;
        int[] expectedByRank = new int[Priority.COUNT];
        for (KeyQueue<K> queue : busy) {
            check(!isIdle(queue), "an idle key is forgotten");
            check((queue.heapIndex >= 0) == (queue.size > 0 && queue != running), "a key is ready or not");
            check(queue.bypasses <= maxBypasses, "a key is passed over too often");
            int size = 0;
            long bytesOfKey = 0;
            long previous = -1;
            for (KeyedTask<K> task = queue.head; task != null; task = task.nextOfKey) {
                check(task.sequence > previous, "tasks of a key are in order of submission");
                check(queue.isOf(task.key), "a task is in the queue of its key");
                check((task.slot >= 0) == task.deadline.isSet(), "a queued task with a deadline is waited for");
                previous = task.sequence;
                size++;
                timed += task.deadline.isSet() ? 1 : 0;
                bytesOfKey += task.bytes;
                expectedByRank[task.priority.rank()]++;
            }
            check(size == queue.size && bytesOfKey == queue.bytes, "the size is what is linked");
            tasks += size;
            expectedBytes += bytesOfKey;
        }
        check(tasks == queued, "every queued task is in the queue of a key");
        check(expectedBytes == bytes, "the bytes are those of what is queued");
        check(Arrays.equals(expectedByRank, queuedByRank), "every queued task is counted under its priority");
        check(timed == deadlines.size(), "only queued tasks are waited for");
        check(running == null || busy.contains(running), "the key that runs is busy");
    }

    private static void check(boolean holds, String invariant) {
        if (!holds) {
            throw new IllegalStateException("violated: " + invariant);
        }
    }
}
