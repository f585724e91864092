package io.talosgateway.rest.fetch;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.hosting.HostedPartition;
import io.talosgateway.rest.journal.log.PartitionLog;
import io.talosgateway.scheduler.Deadline;
import io.talosgateway.scheduler.DeadlineTimer;
import io.talosgateway.scheduler.Timeout;

/**
 * Gets that wait for the durable offset to pass theirs. A waiting get is an object in a list: it holds no thread. Bounded
 * in number. Safe for use by any thread.
 */
final class DurableWaiters {

    private final DeadlineTimer timer;
    private final Executor answers;
    private final int maxWaiters;
    private final AtomicInteger count = new AtomicInteger();
    private final Map<PartitionLog, List<Waiter>> waiters = new ConcurrentHashMap<>();

    DurableWaiters(DeadlineTimer timer, Executor answers, int maxWaiters) {
        this.timer = timer;
        this.answers = answers;
        this.maxWaiters = maxWaiters;
    }

    private final class Waiter extends Timeout {

        private final PartitionLog log;
        private final long offset;
        private final Runnable then;

        Waiter(PartitionLog log, long offset, Runnable then) {
            this.log = log;
            this.offset = offset;
            this.then = then;
        }

        @Override
        protected void deadlinePassed() {
            if (remove(this)) {
                answers.execute(then);
            }
        }
    }

    int count() {
        return count.get();
    }

    /**
     * Calls {@code then} once, when the durable offset is above {@code offset}, {@code until} has passed or another host may own
     * the partition.
     *
     * @return to be run to have {@code then} called at once
     * @throws GatewayException {@code OVERLOADED} if too many wait
     */
    Runnable await(HostedPartition hosted, long offset, Deadline until, Runnable then) {
        PartitionLog log = hosted.log();
        if (count.incrementAndGet() > maxWaiters) {
            count.decrementAndGet();
            throw new GatewayException(
                    ErrorCode.OVERLOADED, "Too many requests wait for messages already; ask again without waiting.");
        }
        Waiter waiter = new Waiter(log, offset, then);
        log.onDurable(this::wake);
        hosted.onEndClosed(() -> wakeAll(log));
        waiters.compute(log, (key, list) -> {
            List<Waiter> extended = list == null ? new ArrayList<>() : list;
            extended.add(waiter);
            // Inside, so that whoever takes the waiter out again finds it in the timer too.
            timer.schedule(waiter, until);
            return extended;
        });
        // Only now, so that no rise between the caller's look and the registration is missed.
        if (log.durableOffset() > offset) {
            wake(log);
        }
        if (hosted.isEndClosed()) {
            wakeAll(log);
        }
        return () -> {
            if (remove(waiter)) {
                timer.cancel(waiter);
                answers.execute(then);
            }
        };
    }

    /** Nothing that is put from now on may be put here. */
    private void wakeAll(PartitionLog log) {
        List<Waiter> all = waiters.remove(log);
        if (all != null) {
            for (Waiter waiter : all) {
                count.decrementAndGet();
                timer.cancel(waiter);
                answers.execute(waiter.then);
            }
        }
    }

    private void wake(PartitionLog log) {
        if (!waiters.containsKey(log)) {
            return;
        }
        List<Waiter> woken = new ArrayList<>();
        long durable = log.durableOffset();
        waiters.computeIfPresent(log, (key, list) -> {
            for (Iterator<Waiter> all = list.iterator(); all.hasNext(); ) {
                Waiter waiter = all.next();
                if (waiter.offset < durable) {
                    all.remove();
                    woken.add(waiter);
                }
            }
            return list.isEmpty() ? null : list;
        });
        for (Waiter waiter : woken) {
            count.decrementAndGet();
            timer.cancel(waiter);
            waiter.then.run();
        }
    }

    private boolean remove(Waiter waiter) {
        boolean[] removed = new boolean[1];
        waiters.computeIfPresent(waiter.log, (key, list) -> {
            removed[0] = list.remove(waiter);
            return list.isEmpty() ? null : list;
        });
        if (removed[0]) {
            count.decrementAndGet();
        }
        return removed[0];
    }
}
