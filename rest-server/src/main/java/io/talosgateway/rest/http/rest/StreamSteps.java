package io.talosgateway.rest.http.rest;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Runs steps one after another, each on a thread that hands one in, without a lock. A step that is handed in by a step runs
 * after it, and not inside. Safe for use by any thread; does not block.
 */
final class StreamSteps {

    private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicInteger count = new AtomicInteger();

    /** @param step must not throw */
    void run(Runnable step) {
        waiting.add(step);
        if (count.getAndIncrement() > 0) {
            return;
        }
        do {
            Runnable next = waiting.remove();
            next.run();
        } while (count.decrementAndGet() > 0);
    }
}
