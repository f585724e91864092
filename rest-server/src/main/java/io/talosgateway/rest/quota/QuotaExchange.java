package io.talosgateway.rest.quota;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

import io.talosgateway.rest.topic.UsedQuota;
import io.talosgateway.scheduler.Deadline;
import io.talosgateway.scheduler.DeadlineTimer;
import io.talosgateway.scheduler.NanoClock;
import io.talosgateway.scheduler.Timeout;

/**
 * Tells the other hosts, four times a second, what clients of this one have used of quotas, if they have used something. Each host
 * counts what all of them have let in, so that a quota holds for the whole cluster over time; within a quarter of a second, each host
 * may let in what it has. A host that cannot be reached is not told again: what it lets in is its own.
 */
public final class QuotaExchange extends Timeout implements AutoCloseable {

    private static final Duration EVERY = Duration.ofMillis(250);

    private final Quotas quotas;
    private final Consumer<List<UsedQuota>> others;
    private final DeadlineTimer timer;
    private final Executor threads;
    private final NanoClock clock;
    private volatile boolean closed;

    /**
     * @param others tells all other hosts; must not block
     * @param threads tells; must not reject
     */
    public QuotaExchange(
            Quotas quotas, Consumer<List<UsedQuota>> others, DeadlineTimer timer, Executor threads, NanoClock clock) {
        this.quotas = quotas;
        this.others = others;
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
            threads.execute(this::tell);
        }
    }

    @Override
    public void close() {
        closed = true;
    }

    private void tell() {
        try {
            List<UsedQuota> used = quotas.untold();
            if (!used.isEmpty()) {
                others.accept(used);
            }
        } finally {
            start();
        }
    }
}
