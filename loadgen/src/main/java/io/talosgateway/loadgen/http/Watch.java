package io.talosgateway.loadgen.http;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Gives up requests that take too long. Its own thread looks again and again, and so notices when this process does not get to
 * run: answers then seem late that were not.
 */
public final class Watch implements AutoCloseable {

    private final int tickMs;
    private final Set<Connection> connections = ConcurrentHashMap.newKeySet();
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile long longestStallNanos;

    /** @param tickMs from one look to the next */
    public Watch(int tickMs) {
        this.tickMs = tickMs;
    }

    public void add(Connection connection) {
        connections.add(connection);
    }

    public void remove(Connection connection) {
        connections.remove(connection);
    }

    public void start() {
        Thread thread = new Thread(this::run, "watch");
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        try {
            long lastNanos = System.nanoTime();
            while (!closed.await(tickMs, TimeUnit.MILLISECONDS)) {
                long nowNanos = System.nanoTime();
                longestStallNanos =
                        Math.max(longestStallNanos, nowNanos - lastNanos - TimeUnit.MILLISECONDS.toNanos(tickMs));
                lastNanos = nowNanos;
                for (Connection connection : connections) {
                    connection.giveUpIfDue(nowNanos);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The longest time for which this process did not run when it should have. */
    public long longestStallNanos() {
        return longestStallNanos;
    }

    @Override
    public void close() {
        closed.countDown();
    }
}
