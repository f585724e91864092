package io.talosgateway.loadgen.run;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

import io.talosgateway.loadgen.http.Connection;
import io.talosgateway.loadgen.http.HttpAnswer;
import io.talosgateway.loadgen.plan.Pacing;
import org.jspecify.annotations.Nullable;

/**
 * Sends the requests of a client one after another over a blocking connection, each when the one before is answered and, in
 * an open loop, when it is due, until the window is over. In a closed loop the next follows a failure after a pause.
 */
final class Worker implements Runnable {

    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final Connection connection;
    private final Client client;
    private final Window window;
    private final @Nullable Pacing pacing;
    private final boolean eachItsOwn;

    /**
     * @param pacing null for a closed loop
     * @param eachItsOwn whether each request has a connection of its own, so that the time to make it is part of the request's
     */
    Worker(Connection connection, Client client, @Nullable Pacing pacing, boolean eachItsOwn) {
        this.connection = connection;
        this.client = client;
        this.window = client.window();
        this.pacing = pacing;
        this.eachItsOwn = eachItsOwn;
    }

    @Override
    public void run() {
        try (connection) {
            window.awaitStart();
            if (pacing != null) {
                exchangeInTime(pacing);
            } else {
                while (!window.isOver(System.nanoTime())) {
                    if (!exchange(null)) {
                        window.sleep(PAUSE_NANOS);
                    }
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error e) {
            client.madeMistake(e);
            throw e;
        }
    }

    private void exchangeInTime(Pacing pace) throws InterruptedException {
        boolean goesOn = true;
        while (goesOn) {
            long dueNanos = client.nextDue(pace, System.nanoTime());
            long wakeNanos = window.isOver(dueNanos) ? window.untilNanos() : dueNanos;
            for (long left = wakeNanos - System.nanoTime();
                    left > 0 && !window.isClosed();
                    left = wakeNanos - System.nanoTime()) {
                window.sleep(left);
            }
            goesOn = !window.isOver(dueNanos);
            if (goesOn) {
                exchange(dueNanos);
            }
        }
    }

    /**
     * @param dueNanos null for when it is sent
     * @return whether the next request may follow at once
     */
    private boolean exchange(@Nullable Long dueNanos) {
        try {
            long beganAtNanos = System.nanoTime();
            connection.open();
            long sentAtNanos = eachItsOwn ? beganAtNanos : System.nanoTime();
            HttpAnswer answer = connection.exchange(client.nextRequest());
            if (eachItsOwn) {
                connection.close();
            }
            return client.take(answer, dueNanos == null ? sentAtNanos : dueNanos, sentAtNanos, System.nanoTime());
        } catch (IOException e) {
            client.failed(e);
            return false;
        }
    }
}
