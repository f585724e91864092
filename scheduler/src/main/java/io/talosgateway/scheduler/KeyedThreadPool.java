package io.talosgateway.scheduler;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

import org.jspecify.annotations.Nullable;

/**
 * A {@link KeyedExecutor} on threads of its own: the shell around {@link KeyedQueues}. See {@code CONCURRENCY.md} for the
 * lock order.
 */
public final class KeyedThreadPool<K> implements KeyedExecutor<K> {

    /*
     * One lock guards the model. It is held for a few hundred nanoseconds: to queue a task, and once per task by the
     * worker, which reports the task it has finished and takes the next one together. Neither run() nor abandoned() nor
     * the timer is called under it. A worker without work waits on a condition of its own, so that a submission wakes
     * the one worker that the key is bound to.
     *
     * A task's fate is decided under the lock, by leaving the model: taken by its worker, removed by the timer's thread
     * when its deadline passes, or removed by drain. Whoever removes it calls its one method.
     */

    private final KeyedThreadPoolConfig config;
    private final NanoClock clock;
    private final DeadlineTimer timer;
    private final Executor abandonment;
    private final ExecutorListener listener;
    private final List<Thread> threads = new ArrayList<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final List<Condition> work = new ArrayList<>();
    private final Condition quiet = lock.newCondition();

    // Guarded by lock.
    private final KeyedQueues<K> queues;
    private final boolean[] waiting;
    private boolean draining;
    private boolean stopped;
    private int givenUp;

    /**
     * @param timer expires queued tasks
     * @param abandonment calls {@link KeyedTask#abandoned}; must not reject
     */
    public KeyedThreadPool(
            KeyedThreadPoolConfig config,
            NanoClock clock,
            DeadlineTimer timer,
            Executor abandonment,
            ExecutorListener listener) {
        this.config = config;
        this.clock = clock;
        this.timer = timer;
        this.abandonment = abandonment;
        this.listener = listener;
        this.queues = new KeyedQueues<>(
                config.workers(), config.policy(), config.maxQueuedPerKey(), config.maxQueued(), config.maxBypasses());
        this.waiting = new boolean[config.workers()];
        for (int index = 0; index < config.workers(); index++) {
            int worker = index;
            work.add(lock.newCondition());
            Thread thread = new Thread(() -> work(worker), config.name() + "-" + worker);
            thread.setDaemon(true);
            threads.add(thread);
        }
    }

    public KeyedThreadPool<K> start() {
        threads.forEach(Thread::start);
        return this;
    }

    @Override
    public void execute(KeyedTask<K> task) {
        if (task.executor != null) {
            throw new IllegalStateException("a task is submitted once");
        }
        task.executor = this;
        // Before queueing: a task that ran at once must not stay in the timer until its deadline.
        timer.schedule(task, task.deadline);
        try {
            if (enqueue(task)) {
                return;
            }
        } catch (TaskRejectedException e) {
            timer.cancel(task);
            listener.rejected(e.reason());
            throw e;
        }
        timer.cancel(task);
        expired(task, task.submittedAtNanos);
    }

    /** Returns false if the deadline has passed already. */
    private boolean enqueue(KeyedTask<K> task) {
        lock.lock();
        try {
            if (draining) {
                throw new TaskRejectedException(
                        TaskRejectedException.Reason.DRAINING,
                        config.name() + " takes no new tasks: it is being drained");
            }
            task.submittedAtNanos = clock.nanoTime();
            if (task.expiredEarly || task.deadline.hasPassed(task.submittedAtNanos)) {
                return false;
            }
            int worker = queues.add(task);
            listener.queued(worker);
            if (waiting[worker]) {
                waiting[worker] = false;
                work.get(worker).signal();
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void work(int worker) {
        K finishedKey = null;
        for (KeyedTask<K> task = take(worker, finishedKey); task != null; task = take(worker, finishedKey)) {
            finishedKey = task.key;
            run(worker, task);
        }
    }

    private void run(int worker, KeyedTask<K> task) {
        timer.cancel(task);
        long startedAtNanos = clock.nanoTime();
        if (task.deadline.hasPassed(startedAtNanos)) {
            expired(task, startedAtNanos);
            return;
        }
        listener.started(worker, task.queuedNanos(startedAtNanos));
        try {
            task.run();
        } catch (Throwable e) { // a worker outlives whatever its tasks do
            listener.failed(e);
        }
        listener.finished(worker, clock.nanoTime() - startedAtNanos);
    }

    /** Reports the finished key, if any, and waits for the worker's next task; null when the worker is to end. */
    private @Nullable KeyedTask<K> take(int worker, @Nullable K finishedKey) {
        lock.lock();
        try {
            if (finishedKey != null) {
                queues.finished(finishedKey);
            }
            while (true) {
                KeyedTask<K> task = queues.next(worker);
                if (task != null) {
                    return task;
                }
                if (stopped) {
                    return null;
                }
                if (draining && queues.queued() == 0 && queues.running() == 0) {
                    quiet.signalAll();
                }
                waiting[worker] = true;
                work.get(worker).awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Called by the timer. */
    void expire(KeyedTask<K> task) {
        lock.lock();
        try {
            task.expiredEarly = true;
            if (!queues.remove(task)) {
                return;
            }
            if (draining && queues.queued() == 0 && queues.running() == 0) {
                quiet.signalAll();
            }
        } finally {
            lock.unlock();
        }
        expired(task, clock.nanoTime());
    }

    private void expired(KeyedTask<K> task, long nowNanos) {
        listener.expired(task.queuedNanos(nowNanos));
        abandon(task, new TaskExpiredException());
    }

    private void abandon(KeyedTask<K> task, Exception reason) {
        abandonment.execute(() -> task.abandoned(reason));
    }

    @Override
    public int drain(Deadline deadline) throws InterruptedException {
        List<KeyedTask<K>> abandoned = List.of();
        lock.lockInterruptibly();
        try {
            draining = true;
            while (queues.queued() > 0 || queues.running() > 0) {
                long remainingNanos = deadline.remainingNanos(clock.nanoTime());
                if (remainingNanos > 0) {
                    quiet.awaitNanos(remainingNanos);
                    continue;
                }
                if (queues.queued() > 0) {
                    abandoned = queues.removeAll();
                    givenUp += abandoned.size();
                }
                if (queues.running() > 0) {
                    quiet.await();
                }
            }
            stopped = true;
            work.forEach(Condition::signal);
            return givenUp;
        } finally {
            lock.unlock();
            for (KeyedTask<K> task : abandoned) {
                timer.cancel(task);
                abandon(
                        task,
                        new TaskRejectedException(
                                TaskRejectedException.Reason.DRAINING,
                                config.name() + " was drained before the task started"));
            }
        }
    }

    @Override
    public int maxBypasses() {
        return config.maxBypasses();
    }

    /** True once {@link #drain} has begun. */
    public boolean isDraining() {
        lock.lock();
        try {
            return draining;
        } finally {
            lock.unlock();
        }
    }

    /** Tasks queued, not running. */
    public int queued() {
        lock.lock();
        try {
            return queues.queued();
        } finally {
            lock.unlock();
        }
    }

    public int running() {
        lock.lock();
        try {
            return queues.running();
        } finally {
            lock.unlock();
        }
    }

    /** How often a ready key was passed over for one of higher priority. */
    public long bypassCount() {
        lock.lock();
        try {
            return queues.bypassCount();
        } finally {
            lock.unlock();
        }
    }
}
