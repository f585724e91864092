package io.talosgateway.rest.hosting;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The puts of a partition that were handed to its log, and whose outcome is not certain: while there are any, nobody can say which
 * offset the next put gets. Safe for use by any thread.
 */
public final class UndecidedPuts {

    private final AtomicInteger count = new AtomicInteger();
    private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();

    /** A put is handed to the log. */
    public void begin() {
        count.incrementAndGet();
    }

    /** The outcome of one is certain, and what it has changed can be seen. */
    public void decided() {
        count.decrementAndGet();
        if (waiting.isEmpty()) {
            return;
        }
        // Those that wait again wait for the next one.
        List<Runnable> now = new ArrayList<>();
        for (Runnable waiter = waiting.poll(); waiter != null; waiter = waiting.poll()) {
            now.add(waiter);
        }
        now.forEach(Runnable::run);
    }

    public boolean isEmpty() {
        return count.get() == 0;
    }

    /** Has {@code waiter} run once, when the outcome of some put is certain; at once, if there is none to wait for. It must not block. */
    public void awaitNext(Runnable waiter) {
        waiting.add(waiter);
        if (isEmpty() && waiting.remove(waiter)) {
            waiter.run();
        }
    }

    /** Takes it back; false if it was run, or is about to be. */
    public boolean withdraw(Runnable waiter) {
        return waiting.remove(waiter);
    }
}
