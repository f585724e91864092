package io.talosgateway.verifier;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.talosgateway.loadgen.http.Connection;

/**
 * Gives up requests that take too long. Its own thread looks every {@value #TICK_MS} ms, and so notices when this process does not
 * get to run: answers then seem late that were not.
 */
final class Watch implements AutoCloseable {

    private static final int TICK_MS = 20;

    private final List<Connection> connections = new CopyOnWriteArrayList<>();
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile long longestStallNanos;

    void add(Connection connection) {
        connections.add(connection);
    }

    void remove(Connection connection) {
        connections.remove(connection);
    }

    void start() {
        Thread thread = new Thread(this::run, "watch");
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        try {
            long lastNanos = System.nanoTime();
            while (!closed.await(TICK_MS, TimeUnit.MILLISECONDS)) {
                long nowNanos = System.nanoTime();
                longestStallNanos =
                        Math.max(longestStallNanos, nowNanos - lastNanos - TimeUnit.MILLISECONDS.toNanos(TICK_MS));
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
    long longestStallNanos() {
        return longestStallNanos;
    }

    @Override
    public void close() {
        closed.countDown();
    }
}
