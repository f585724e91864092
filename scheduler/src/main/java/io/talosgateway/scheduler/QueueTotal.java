package io.talosgateway.scheduler;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** What is queued at all workers, and its bound. Safe for use by any thread, without a lock. */
final class QueueTotal {

    private final QueueLimits.Limit limit;
    private final AtomicInteger tasks = new AtomicInteger();
    private final AtomicLong bytes = new AtomicLong();

    QueueTotal(QueueLimits.Limit limit) {
        this.limit = limit;
    }

    int tasks() {
        return tasks.get();
    }

    long bytes() {
        return bytes.get();
    }

    /**
     * Counts one more task, unless there is no room for it. The bound in number is exact; of submissions at the same moment,
     * each may find the same room in bytes.
     */
    boolean add(int taskBytes) {
        int before;
        do {
            before = tasks.get();
            if (!limit.hasRoom(before, bytes.get(), taskBytes)) {
                return false;
            }
        } while (!tasks.compareAndSet(before, before + 1));
        bytes.getAndAdd(taskBytes);
        return true;
    }

    void subtract(int taskBytes) {
        bytes.getAndAdd(-taskBytes);
        tasks.getAndDecrement();
    }
}
