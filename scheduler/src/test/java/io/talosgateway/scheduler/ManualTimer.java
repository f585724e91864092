package io.talosgateway.scheduler;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A clock and a timer that stand still until the test moves them. */
final class ManualTimer implements NanoClock, DeadlineTimer {

    private final TimerWheel<Timeout> wheel = new TimerWheel<>(TimeUnit.MILLISECONDS.toNanos(1), 1024, 0);
    private long nowNanos;

    @Override
    public synchronized long nanoTime() {
        return nowNanos;
    }

    Deadline inMs(long ms) {
        return Deadline.at(nanoTime() + TimeUnit.MILLISECONDS.toNanos(ms));
    }

    void advanceMs(long ms) {
        List<Timeout> passed = new ArrayList<>();
        synchronized (this) {
            nowNanos += TimeUnit.MILLISECONDS.toNanos(ms);
            wheel.advance(nowNanos, passed::add);
        }
        passed.forEach(Timeout::deadlinePassed);
    }

    synchronized int size() {
        return wheel.size();
    }

    @Override
    public synchronized void schedule(Timeout timeout, Deadline deadline) {
        if (deadline.isSet()) {
            wheel.add(timeout, deadline.atNanos());
        }
    }

    @Override
    public synchronized boolean cancel(Timeout timeout) {
        return wheel.remove(timeout);
    }
}
