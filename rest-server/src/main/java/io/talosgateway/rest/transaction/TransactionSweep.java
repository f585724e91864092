package io.talosgateway.rest.transaction;

import java.time.Duration;
import java.util.concurrent.Executor;

import io.talosgateway.scheduler.Deadline;
import io.talosgateway.scheduler.DeadlineTimer;
import io.talosgateway.scheduler.NanoClock;
import io.talosgateway.scheduler.Timeout;

/** Looks after the transactions that this host holds, once a second. */
public final class TransactionSweep extends Timeout implements AutoCloseable {

    private static final Duration EVERY = Duration.ofSeconds(1);

    private final TransactionCoordinator transactions;
    private final DeadlineTimer timer;
    private final Executor threads;
    private final NanoClock clock;
    private volatile boolean closed;

    /** @param threads looks; must not reject */
    public TransactionSweep(
            TransactionCoordinator transactions, DeadlineTimer timer, Executor threads, NanoClock clock) {
        this.transactions = transactions;
        this.timer = timer;
        this.threads = threads;
        this.clock = clock;
    }

    /** Begins. */
    public void start() {
        timer.schedule(this, Deadline.after(clock, EVERY));
    }

    @Override
    protected void deadlinePassed() {
        if (!closed) {
            threads.execute(() -> {
                try {
                    transactions.sweep();
                } finally {
                    start();
                }
            });
        }
    }

    @Override
    public void close() {
        closed = true;
    }
}
