package io.talosgateway.scheduler;

import java.time.Duration;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;

/** A clock and a timer that stand still until the test moves them; in this package because only timers may call back. */
public final class SteppedTime implements NanoClock, DeadlineTimer {

    private final IdentityHashMap<Timeout, Deadline> scheduled = new IdentityHashMap<>();
    private long nowNanos = Long.MAX_VALUE - 1_000; // the clock wraps in every test

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

    /** Timeouts that are waiting. */
    public synchronized int scheduled() {
        return scheduled.size();
    }
}
