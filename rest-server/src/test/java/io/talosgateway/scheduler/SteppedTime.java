package io.talosgateway.scheduler;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A clock and a timer that stand still until the test moves them; in this package because only timers may call back. */
public final class SteppedTime implements NanoClock, DeadlineTimer {

    private final Map<Timeout, Deadline> scheduled = new LinkedHashMap<>();
    private static final long BEGIN_NANOS = Long.MAX_VALUE - 1_000; // the clock wraps in every test

    private long nowNanos = BEGIN_NANOS;

    @Override
    public synchronized long nanoTime() {
        return nowNanos;
    }

    /** Moves the clock; what is due is called back before this returns. */
    public void advance(Duration by) {
        List<Timeout> due = new ArrayList<>();
        synchronized (this) {
            nowNanos += by.toNanos();
            scheduled.forEach((timeout, deadline) -> {
                if (deadline.hasPassed(nowNanos)) {
                    due.add(timeout);
                }
            });
            due.forEach(scheduled::remove);
        }
        due.forEach(Timeout::deadlinePassed);
    }

    @Override
    public synchronized void schedule(Timeout timeout, Deadline deadline) {
        if (deadline.isSet()) {
            scheduled.put(timeout, deadline);
        }
    }

    @Override
    public synchronized boolean cancel(Timeout timeout) {
        return scheduled.remove(timeout) != null;
    }

    /** How far the test has moved the clock. */
    public synchronized long elapsedNanos() {
        return nowNanos - BEGIN_NANOS;
    }

    /** Timeouts that are waiting. */
    public synchronized int scheduled() {
        return scheduled.size();
    }
}
