package io.talosgateway.scheduler;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A {@link DeadlineTimer} on a {@link TimerWheel} and one thread, exact to {@value #TICK_MS} ms plus the scheduler of the
 * operating system. The thread sleeps until the next slot that holds something: timeouts that are cancelled in time, as
 * nearly all are, cost no wake-up.
 */
public final class WheelTimer implements DeadlineTimer, AutoCloseable {

    private static final int TICK_MS = 1;
    /** One turn takes 16 s: longer than the usual request, so that a visited slot usually holds what is due. */
    private static final int SLOTS = 1 << 14;

    private final NanoClock clock;
    private final Thread thread;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition earlierTimeout = lock.newCondition();

    // Guarded by lock.
    private final TimerWheel<Timeout> wheel;
    private long wakeUpAtNanos;
    private boolean closed;

    /** The clock must advance with real time: the thread sleeps by it. */
    public WheelTimer(String name, NanoClock clock) {
        this.clock = clock;
        this.wheel = new TimerWheel<>(TimeUnit.MILLISECONDS.toNanos(TICK_MS), SLOTS, clock.nanoTime());
        this.thread = new Thread(this::run, name);
        this.thread.setDaemon(true);
    }

    public WheelTimer start() {
        thread.start();
        return this;
    }

    @Override
    public void schedule(Timeout timeout, Deadline deadline) {
        if (!deadline.isSet()) {
            return;
        }
        timeout.wasScheduled = true;
        lock.lock();
        try {
            wheel.add(timeout, deadline.atNanos());
            if (deadline.atNanos() - wakeUpAtNanos < 0) {
                earlierTimeout.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean cancel(Timeout timeout) {
        // All requests share the lock, and most of them end before anything is scheduled for them.
        if (!timeout.wasScheduled) {
            return false;
        }
        lock.lock();
        try {
            return wheel.remove(timeout);
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        List<Timeout> passed = new ArrayList<>();
        while (awaitPassed(passed)) {
            for (Timeout timeout : passed) {
                timeout.deadlinePassed();
            }
            passed.clear();
        }
    }

    /** Returns false when the timer is closed. */
    private boolean awaitPassed(List<Timeout> passed) {
        lock.lock();
        try {
            while (!closed) {
                long now = clock.nanoTime();
                wheel.advance(now, passed::add);
                if (!passed.isEmpty()) {
                    return true;
                }
                long sleepNanos = Math.min(wheel.nanosToNextSlot(now), TimeUnit.HOURS.toNanos(1));
                wakeUpAtNanos = now + sleepNanos;
                earlierTimeout.awaitNanos(sleepNanos);
            }
        } catch (InterruptedException e) {
            // Nobody else has this thread: an interrupt is a wish to end.
        } finally {
            lock.unlock();
        }
        return false;
    }

    /** Ends the thread. Timeouts that have not passed are never called back. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            earlierTimeout.signal();
        } finally {
            lock.unlock();
        }
    }
}
