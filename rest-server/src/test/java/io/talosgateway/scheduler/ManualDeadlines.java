package io.talosgateway.scheduler;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A clock and a timer that stand still until a test moves them. In this package, because timeouts are called from here. */
public final class ManualDeadlines implements NanoClock, DeadlineTimer {

    private record Scheduled(Timeout timeout, Deadline deadline) {}

    private final List<Scheduled> scheduled = new ArrayList<>();
    private long nowNanos;

    @Override
    public long nanoTime() {
        return nowNanos;
    }

    /** Lets time pass, a millisecond after the other. */
    public void pass(long ms) {
        for (long passed = 0; passed < ms; passed++) {
            nowNanos += TimeUnit.MILLISECONDS.toNanos(1);
            List<Scheduled> due = scheduled.stream()
                    .filter(one -> one.deadline.hasPassed(nowNanos))
                    .toList();
            scheduled.removeAll(due);
            due.forEach(one -> one.timeout.deadlinePassed());
        }
    }

    @Override
    public void schedule(Timeout timeout, Deadline deadline) {
        if (deadline.isSet()) {
            scheduled.add(new Scheduled(timeout, deadline));
        }
    }

    @Override
    public boolean cancel(Timeout timeout) {
        return scheduled.removeIf(one -> one.timeout == timeout);
    }
}
