package io.talosgateway.rest.hosting;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

import io.talosgateway.rest.journal.JournalThreads;

/** What a host has to do, done step by step. For one thread. */
final class SimulatedThreads implements HostingThreads {

    private final LongSupplier nowNanos;
    private final Deque<Runnable> changes = new ArrayDeque<>();
    private final List<Later> later = new ArrayList<>();
    private final List<Runnable> work = new ArrayList<>();
    private boolean closed;

    private record Later(long atNanos, Runnable task) {}

    SimulatedThreads(LongSupplier nowNanos) {
        this.nowNanos = nowNanos;
    }

    @Override
    public void change(Runnable change) {
        changes.add(change);
    }

    @Override
    public void changeLater(Runnable change, long delayMs) {
        later.add(new Later(nowNanos.getAsLong() + delayMs * 1_000_000, change));
        later.sort(Comparator.comparing(Later::atNanos));
    }

    @Override
    public void takeTime(Runnable task) {
        work.add(task);
    }

    /** Runs one task; false if there is none. */
    boolean step(Random random) {
        while (!later.isEmpty() && later.get(0).atNanos <= nowNanos.getAsLong()) {
            changes.add(later.remove(0).task);
        }
        if (closed || (changes.isEmpty() && work.isEmpty())) {
            return false;
        }
        if (work.isEmpty() || (!changes.isEmpty() && random.nextBoolean())) {
            changes.remove().run();
        } else {
            work.remove(random.nextInt(work.size())).run();
        }
        return true;
    }

    boolean isIdle() {
        return changes.isEmpty() && work.isEmpty();
    }

    /** Everything at once. */
    @Override
    public JournalThreads newJournalThreads() {
        return new JournalThreads() {
            @Override
            public void seal(Runnable task) {
                task.run();
            }

            @Override
            public void sealLater(Runnable task, long delayMs) {
                changeLater(task, delayMs);
            }

            @Override
            public Executor files() {
                return Runnable::run;
            }

            @Override
            public void close() {
                // Nothing waits.
            }
        };
    }

    @Override
    public void close() {
        closed = true;
    }
}
