package io.talosgateway.rest.bootstrap;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Threads with a bounded queue. When it is full, whoever hands a task over runs it: it is part of a request that was taken, and must
 * not be dropped. Admission bounds how many there are; this bounds what a mistake could do.
 */
final class BoundedThreads extends ThreadPoolExecutor {

    BoundedThreads(String name, int count, int mostWaiting) {
        super(
                count,
                count,
                0,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(mostWaiting),
                factory(name),
                (task, pool) -> {
                    if (pool.isShutdown()) {
                        throw new RejectedExecutionException("the threads '" + name + "' have ended");
                    }
                    task.run();
                });
    }

    private static ThreadFactory factory(String name) {
        AtomicInteger number = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, name + "-" + number.getAndIncrement());
            thread.setDaemon(true);
            return thread;
        };
    }

    /** Tasks that wait for a thread. */
    int waiting() {
        return getQueue().size();
    }
}
