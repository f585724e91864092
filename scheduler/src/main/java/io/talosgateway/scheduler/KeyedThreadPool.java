package io.talosgateway.scheduler;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import org.jspecify.annotations.Nullable;

/**
 * A {@link KeyedExecutor} on threads of its own: the shell around {@link KeyedQueues}. See {@code CONCURRENCY.md} for the
 * lock order.
 */
public final class KeyedThreadPool<K> implements KeyedExecutor<K> {

    /*
     * Neither run() nor abandoned() is called under a lock, and nobody is woken up under one. A worker without work parks,
     * so that a submission wakes the one worker that the key is bound to, or runs the task in its place. Parking and
     * monitors rather than locks with conditions: those allocate a node for each thread that waits.
     *
     * A task's fate is decided by leaving the queues: taken by its worker, removed by the timer's thread when its deadline
     * passes, or removed by drain. Whoever removes it calls its one method.
     */

    private final KeyedThreadPoolConfig config;
    private final NanoClock clock;
    private final DeadlineTimer timer;
    private final Executor abandonment;
    private final ExecutorListener listener;
    final KeyedQueues<K> queues;
    private final List<Thread> threads = new ArrayList<>();
    /** By worker. */
    private final List<Expiry> expiries = new ArrayList<>();

    private volatile boolean draining;
    private volatile boolean stopped;
    /** Notified when a worker finds nothing to do while the pool is drained; guards what follows. */
    private final Object quiet = new Object();

    private int givenUp;

    /** Looks for expired tasks of a worker. */
    private final class Expiry extends Timeout {
        private final int worker;

        Expiry(int worker) {
            this.worker = worker;
        }

        @Override
        protected void deadlinePassed() {
            expire(worker, clock.nanoTime());
        }
    }

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
                config.workers(),
                config.policy(),
                config.limits(),
                config.maxBypasses(),
                clock.nanoTime(),
                new KeyedQueues.Signals() {
                    @Override
                    public void wakeUp(int worker) {
                        LockSupport.unpark(threads.get(worker));
                    }

                    @Override
                    public void expireAt(int worker, Deadline deadline) {
                        Expiry expiry = expiries.get(worker);
                        timer.cancel(expiry);
                        timer.schedule(expiry, deadline);
                    }
                });
        for (int index = 0; index < config.workers(); index++) {
            int worker = index;
            expiries.add(new Expiry(worker));
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
        long nowNanos = clock.nanoTime();
        if (submitInTime(task, nowNanos)) {
            queue(task, nowNanos);
        }
    }

    @Override
    public void runOrQueue(KeyedTask<K> task) {
        long nowNanos = clock.nanoTime();
        if (!submitInTime(task, nowNanos)) {
            return;
        }
        int worker = queues.lend(task.key);
        if (worker == KeyedQueues.NO_WORKER) {
            queue(task, nowNanos);
        } else {
            listener.queued(worker);
            queues.giveBack(worker, run(worker, task, nowNanos));
            noticeQuiet();
        }
    }

    /** Notes the submission. False if the deadline has passed: then the task is abandoned. */
    private boolean submitInTime(KeyedTask<K> task, long nowNanos) {
        task.submittedAt(nowNanos);
        boolean inTime = !task.deadline.hasPassed(nowNanos);
        if (!inTime) {
            expired(task, nowNanos);
        }
        return inTime;
    }

    private void queue(KeyedTask<K> task, long nowNanos) {
        try {
            listener.queued(queues.add(task, nowNanos));
        } catch (TaskRejectedException e) {
            listener.rejected(e.reason());
            throw e;
        }
    }

    private void work(int worker) {
        KeyedTask<K> task = take(worker, KeyedQueues.NOT_RUN);
        while (task != null) {
            task = take(worker, run(worker, task, clock.nanoTime()));
        }
    }

    private long run(int worker, KeyedTask<K> task, long startedAtNanos) {
        if (task.deadline.hasPassed(startedAtNanos)) {
            expired(task, startedAtNanos);
            return KeyedQueues.NOT_RUN;
        }
        listener.started(worker, task.queuedNanos(startedAtNanos));
        try {
            task.run();
        } catch (Throwable e) { // a worker outlives whatever its tasks do
            listener.failed(e);
        }
        long runNanos = clock.nanoTime() - startedAtNanos;
        listener.finished(worker, runNanos);
        return runNanos;
    }

    /** Ends the worker's task, if it has one, and waits for the next; null when the worker is to end. */
    private @Nullable KeyedTask<K> take(int worker, long runNanos) {
        KeyedTask<K> task = poll(worker, runNanos);
        while (task == null && !stopped) {
            noticeQuiet();
            // What a task has left behind would keep the thread from parking.
            Thread.interrupted();
            LockSupport.park(this);
            task = poll(worker, KeyedQueues.NOT_RUN);
        }
        return task;
    }

    /** Ends the worker's task, if it has one, and takes the next; null if there is none. */
    @Nullable
    KeyedTask<K> poll(int worker, long runNanos) {
        KeyedTask<K> task = queues.next(worker, runNanos);
        int bypasses = queues.bypasses(worker);
        if (bypasses > 0) {
            listener.bypassed(worker, bypasses);
        }
        return task;
    }

    /** Abandons the worker's queued tasks whose deadline has passed. */
    void expire(int worker, long nowNanos) {
        for (KeyedTask<K> task : queues.removeExpired(worker, nowNanos)) {
            expired(task, nowNanos);
        }
        noticeQuiet();
    }

    private void expired(KeyedTask<K> task, long nowNanos) {
        listener.expired(task.queuedNanos(nowNanos));
        abandon(task, new TaskExpiredException());
    }

    private void abandon(KeyedTask<K> task, Exception reason) {
        abandonment.execute(() -> task.abandoned(reason));
    }

    private void noticeQuiet() {
        if (draining) {
            synchronized (quiet) {
                quiet.notifyAll();
            }
        }
    }

    @Override
    public int drain(Deadline deadline) throws InterruptedException {
        draining = true;
        queues.close();
        awaitQuiet(deadline);
        List<KeyedTask<K>> abandoned = queues.removeAll();
        for (KeyedTask<K> task : abandoned) {
            abandon(
                    task,
                    new TaskRejectedException(
                            TaskRejectedException.Reason.DRAINING,
                            config.name() + " was drained before the task started"));
        }
        int givenUpByAll;
        synchronized (quiet) {
            givenUp += abandoned.size();
            givenUpByAll = givenUp;
        }
        awaitQuiet(Deadline.NONE);
        stopped = true;
        threads.forEach(LockSupport::unpark);
        expiries.forEach(timer::cancel);
        return givenUpByAll;
    }

    private void awaitQuiet(Deadline deadline) throws InterruptedException {
        synchronized (quiet) {
            long remainingNanos = deadline.remainingNanos(clock.nanoTime());
            while (remainingNanos > 0 && !queues.isQuiet()) {
                TimeUnit.NANOSECONDS.timedWait(quiet, remainingNanos);
                remainingNanos = deadline.remainingNanos(clock.nanoTime());
            }
        }
    }

    @Override
    public int maxBypasses() {
        return config.maxBypasses();
    }

    /** True once {@link #drain} has begun. */
    public boolean isDraining() {
        return draining;
    }

    /** Tasks queued, not running. */
    public int queued() {
        return queues.queued();
    }

    public int running() {
        return queues.running();
    }

    /** Bytes that queued tasks hold. */
    public long queuedBytes() {
        return queues.bytes();
    }

    /** Tasks that are bound to a worker, queued and running. */
    public int load(int worker) {
        return queues.load(worker);
    }
}
