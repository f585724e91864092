package io.talosgateway.scheduler;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * The decisions of {@link KeyedThreadPool}: which worker a key is bound to, which task a worker runs next, what is
 * refused. Safe for use by any thread; has no thread and no clock of its own. See {@code CONCURRENCY.md} for the lock order.
 *
 * <p>A key is <i>idle</i> while nothing of it is queued or running. The first task of an idle key binds the key to a worker
 * until it is idle again.
 */
final class KeyedQueues<K> {

    /*
     * Each worker's queue is guarded by its own monitor, so that workers do not hinder one another. A key finds its worker
     * by a table that is looked at before the worker's monitor is entered; inside it, the submitter makes sure that the
     * answer still holds, and starts again if the key has become idle, or busy at another worker, in between.
     */

    static final long NOT_RUN = -1;
    static final int NO_WORKER = -1;

    /** What the threads are told. */
    interface Signals {

        /** There is work for a worker whose {@link #next} found none. Called under no lock. */
        void wakeUp(int worker);

        /** {@link #removeExpired} is to be called then, and not at an earlier wish. Called under the worker's monitor. */
        void expireAt(int worker, Deadline deadline);
    }

    private final PlacementPolicy policy;
    private final QueueLimits limits;
    private final Signals signals;
    private final KeyTable<K> busyKeys;
    private final WorkerLoads loads;
    private final QueueTotal total;
    private final RunTimes runTimes = new RunTimes();
    private final List<Slot<K>> slots = new ArrayList<>();
    private volatile boolean closed;

    /** A worker's place; its monitor guards what is in it. */
    private static final class Slot<K> {
        final WorkerQueue<K> queue;
        /** The thread found nothing to do, and nothing has woken it up since. */
        boolean waiting;
        /** A submitter runs a task in place of the thread, which waits. */
        boolean lent;

        Deadline expiryAt = Deadline.NONE;

        Slot(WorkerQueue<K> queue) {
            this.queue = queue;
        }

        /** There is work for the thread: whether it is to be woken up. */
        boolean stopWaiting() {
            boolean wakesUp = waiting && !lent;
            waiting &= lent;
            return wakesUp;
        }
    }

    KeyedQueues(
            int workers, PlacementPolicy policy, QueueLimits limits, int maxBypasses, long nowNanos, Signals signals) {
        this.policy = policy;
        this.limits = limits;
        this.signals = signals;
        this.busyKeys = new KeyTable<>(workers);
        this.loads = new WorkerLoads(workers);
        this.total = new QueueTotal(limits.total());
        for (int worker = 0; worker < workers; worker++) {
            slots.add(new Slot<>(new WorkerQueue<>(worker, maxBypasses, nowNanos)));
        }
    }

    /** Tasks queued, not running. */
    int queued() {
        return total.tasks();
    }

    /** Bytes that queued tasks hold. */
    long bytes() {
        return total.bytes();
    }

    /** Keys that are not idle. */
    int busyKeys() {
        return busyKeys.size();
    }

    /** Tasks of a worker, queued and running. */
    int load(int worker) {
        return loads.load(worker);
    }

    int running() {
        int running = 0;
        for (Slot<K> slot : slots) {
            synchronized (slot) {
                running += slot.queue.isRunning() ? 1 : 0;
            }
        }
        return running;
    }

    /**
     * Queues a task.
     *
     * @return the worker it is bound to
     * @throws TaskRejectedException if a bound is reached, the deadline would be, or nothing is taken any more; nothing has
     *     changed
     */
    int add(KeyedTask<K> task, long nowNanos) {
        while (true) {
            KeyQueue<K> bound = busyKeys.find(task.key);
            int worker;
            if (bound == null) {
                worker = loads.addToChosen(policy, task.key);
            } else {
                worker = bound.worker;
                loads.add(worker);
            }
            boolean added = false;
            boolean wakesUp;
            Slot<K> slot = slots.get(worker);
            try {
                synchronized (slot) {
                    added = tryAdd(slot, bound, task, nowNanos);
                    wakesUp = added && slot.stopWaiting();
                }
            } finally {
                if (!added) {
                    loads.subtract(worker);
                }
            }
            if (wakesUp) {
                signals.wakeUp(worker);
            }
            if (added) {
                return worker;
            }
        }
    }

    /** False if the key is not bound as it was when its worker was looked up. */
    private boolean tryAdd(Slot<K> slot, @Nullable KeyQueue<K> bound, KeyedTask<K> task, long nowNanos) {
        if (bound != null && !bound.isOf(task.key)) {
            return false;
        }
        refuseIfClosedOrFull(slot.queue, bound, task);
        refuseIfTooLate(slot.queue, task, nowNanos);
        KeyQueue<K> queue = bound;
        if (queue == null) {
            queue = slot.queue.begin(task.key);
            if (!busyKeys.add(queue)) {
                slot.queue.end(queue);
                return false;
            }
        }
        if (!total.add(task.bytes)) {
            endIfIdle(slot, queue);
            throw full(TaskRejectedException.Reason.EXECUTOR_FULL, "", total.tasks(), total.bytes());
        }
        slot.queue.add(queue, task);
        if (task.deadline.isBefore(slot.expiryAt)) {
            expireAt(slot, task.deadline);
        }
        return true;
    }

    private void refuseIfClosedOrFull(WorkerQueue<K> worker, @Nullable KeyQueue<K> bound, KeyedTask<K> task) {
        if (closed) {
            throw new TaskRejectedException(TaskRejectedException.Reason.DRAINING, "no new tasks are taken");
        }
        if (bound != null && !limits.perKey().hasRoom(bound.size, bound.bytes, task.bytes)) {
            throw full(TaskRejectedException.Reason.KEY_FULL, " of key " + task.key, bound.size, bound.bytes);
        }
        if (!limits.perWorker().hasRoom(worker.queued(), worker.bytes(), task.bytes)) {
            throw full(
                    TaskRejectedException.Reason.WORKER_FULL,
                    " of worker " + worker.worker,
                    worker.queued(),
                    worker.bytes());
        }
    }

    private static TaskRejectedException full(
            TaskRejectedException.Reason reason, String whose, int tasks, long bytes) {
        return new TaskRejectedException(
                reason, "%d tasks%s with %d bytes are queued, which is the limit".formatted(tasks, whose, bytes));
    }

    private void refuseIfTooLate(WorkerQueue<K> worker, KeyedTask<K> task, long nowNanos) {
        if (!task.deadline.isSet()) {
            return;
        }
        int before = worker.tasksBefore(task.priority);
        long expectedNanos = runTimes.expectedNanos(before);
        long remainingNanos = task.deadline.remainingNanos(nowNanos);
        if (expectedNanos > remainingNanos) {
            throw new TaskRejectedException(
                    TaskRejectedException.Reason.TOO_LATE,
                    "%d tasks come before it, which takes about %d ms, and it has %d ms"
                            .formatted(before, expectedNanos / 1_000_000, remainingNanos / 1_000_000));
        }
    }

    /**
     * Ends the worker's task, if it has one, and takes the one that it runs next; null if there is none, and the worker waits
     * to be woken up.
     *
     * @param runNanos how long the task that ends has run, or {@link #NOT_RUN}
     */
    @Nullable
    KeyedTask<K> next(int worker, long runNanos) {
        if (runNanos != NOT_RUN) {
            runTimes.add(runNanos);
        }
        Slot<K> slot = slots.get(worker);
        synchronized (slot) {
            if (slot.lent) {
                // Woken up for no reason.
                return null;
            }
            endRunning(slot);
            KeyedTask<K> task = slot.queue.next();
            slot.waiting = task == null;
            if (task != null) {
                total.subtract(task.bytes);
            }
            return task;
        }
    }

    private void endRunning(Slot<K> slot) {
        KeyQueue<K> finished = slot.queue.finished();
        if (finished != null) {
            loads.subtract(slot.queue.worker);
            endIfIdle(slot, finished);
        }
    }

    /**
     * Lends the worker that an idle key is bound to, if it has nothing to do: the submitter runs the task in its place. Tasks that come
     * meanwhile are queued as if the worker ran it.
     *
     * @return the worker, until {@link #giveBack}; or {@link #NO_WORKER}, then nothing has changed
     */
    int lend(K key) {
        int worker = loads.addToChosen(policy, key);
        Slot<K> slot = slots.get(worker);
        synchronized (slot) {
            if (!closed && slot.waiting && !slot.lent) {
                KeyQueue<K> queue = slot.queue.begin(key);
                if (busyKeys.add(queue)) {
                    slot.queue.start(queue);
                    slot.lent = true;
                    return worker;
                }
                slot.queue.end(queue);
            }
        }
        loads.subtract(worker);
        return NO_WORKER;
    }

    /** The task that a worker was lent for has ended. */
    void giveBack(int worker, long runNanos) {
        runTimes.add(runNanos);
        Slot<K> slot = slots.get(worker);
        boolean wakesUp;
        synchronized (slot) {
            slot.lent = false;
            endRunning(slot);
            wakesUp = slot.queue.queued() > 0 && slot.stopWaiting();
        }
        if (wakesUp) {
            signals.wakeUp(worker);
        }
    }

    /** How many ready keys the last {@link #next} of this worker passed over for one of higher priority; for the worker. */
    int bypasses(int worker) {
        return slots.get(worker).queue.bypasses();
    }

    private void remove(Slot<K> slot, KeyedTask<K> task) {
        KeyQueue<K> queue = slot.queue.remove(task);
        total.subtract(task.bytes);
        loads.subtract(slot.queue.worker);
        endIfIdle(slot, queue);
    }

    private void endIfIdle(Slot<K> slot, KeyQueue<K> queue) {
        if (slot.queue.isIdle(queue)) {
            busyKeys.remove(queue);
            slot.queue.end(queue);
        }
    }

    /** Removes the worker's queued tasks whose deadline has passed. */
    List<KeyedTask<K>> removeExpired(int worker, long nowNanos) {
        List<KeyedTask<K>> expired = new ArrayList<>();
        Slot<K> slot = slots.get(worker);
        synchronized (slot) {
            slot.queue.expired(nowNanos, expired::add);
            expired.forEach(task -> remove(slot, task));
            long waitNanos = slot.queue.nanosToNextExpiry(nowNanos);
            expireAt(slot, waitNanos == Long.MAX_VALUE ? Deadline.NONE : Deadline.at(nowNanos + waitNanos));
        }
        return expired;
    }

    private void expireAt(Slot<K> slot, Deadline deadline) {
        slot.expiryAt = deadline;
        signals.expireAt(slot.queue.worker, deadline);
    }

    /** Takes no new tasks from now on; when it returns, no submission is under way that is still to be taken. */
    void close() {
        closed = true;
        for (Slot<K> slot : slots) {
            synchronized (slot) {
                // A submission that saw it open has ended.
            }
        }
    }

    /** Whether nothing is queued or running; once closed, it stays so. */
    boolean isQuiet() {
        return queued() == 0 && running() == 0;
    }

    /** Removes all queued tasks. */
    List<KeyedTask<K>> removeAll() {
        List<KeyedTask<K>> removed = new ArrayList<>();
        for (Slot<K> slot : slots) {
            synchronized (slot) {
                for (KeyedTask<K> task = slot.queue.any(); task != null; task = slot.queue.any()) {
                    remove(slot, task);
                    removed.add(task);
                }
            }
        }
        return removed;
    }

    /** Throws if the parts contradict each other; for tests, with one thread. */
    void checkInvariants() {
        int tasks = 0;
        long bytes = 0;
        for (Slot<K> slot : slots) {
            List<KeyQueue<K>> busy = new ArrayList<>();
            busyKeys.forEach(queue -> {
                if (queue.worker == slot.queue.worker) {
                    busy.add(queue);
                }
            });
            slot.queue.checkInvariants(busy);
            int load = slot.queue.queued() + (slot.queue.isRunning() ? 1 : 0);
            if (loads.load(slot.queue.worker) != load) {
                throw new IllegalStateException("violated: the load is what is queued and running");
            }
            tasks += slot.queue.queued();
            bytes += slot.queue.bytes();
        }
        if (tasks != total.tasks() || bytes != total.bytes()) {
            throw new IllegalStateException("violated: the total is that of all workers");
        }
    }
}
