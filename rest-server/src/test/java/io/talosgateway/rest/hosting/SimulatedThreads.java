package io.talosgateway.rest.hosting;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.LongSupplier;

import io.talosgateway.rest.journal.JournalThreads;
import io.talosgateway.rest.journal.LaneCommitter;

/**
 * What a host has to do, done step by step: changes in order, everything else in any order, lanes and the sealer of a journal
 * each on a thread of its own. For one thread.
 */
final class SimulatedThreads implements HostingThreads {

    private final LongSupplier nowNanos;
    private final Deque<Runnable> changes = new ArrayDeque<>();
    private final List<Later> later = new ArrayList<>();
    private final List<Runnable> work = new ArrayList<>();
    private final List<OfJournal> journals = new ArrayList<>();
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
        if (closed) {
            return false;
        }
        int kinds = (changes.isEmpty() ? 0 : 1) + (work.isEmpty() ? 0 : 1) + (journals.isEmpty() ? 0 : 2);
        int kind = kinds == 0 ? 0 : random.nextInt(kinds);
        if (!changes.isEmpty() && kind-- == 0) {
            changes.remove().run();
            return true;
        }
        if (!work.isEmpty() && kind-- == 0) {
            work.remove(random.nextInt(work.size())).run();
            return true;
        }
        if (!journals.isEmpty()) {
            journals.get(random.nextInt(journals.size())).step(random);
        }
        return !isIdle();
    }

    /** Runs what there is to do, and what follows from it. */
    void drain(Random random) {
        for (int idle = 0; idle < 20; idle++) {
            while (step(random)) {
                idle = 0;
            }
        }
    }

    /** Whether nothing waits, but for what may be in the queues of lanes. */
    boolean isIdle() {
        return changes.isEmpty() && work.isEmpty() && journals.stream().allMatch(OfJournal::isIdle);
    }

    @Override
    public JournalThreads newJournalThreads() {
        OfJournal threads = new OfJournal();
        journals.add(threads);
        return threads;
    }

    @Override
    public void close() {
        closed = true;
    }

    /** The lanes, the sealer and the background work of a journal. */
    private final class OfJournal implements JournalThreads {

        private final List<LaneCommitter> committers = new ArrayList<>();
        private final Deque<Runnable> seals = new ArrayDeque<>();
        private final List<Runnable> background = new ArrayList<>();
        private boolean ended;

        private boolean isIdle() {
            return seals.isEmpty() && background.isEmpty();
        }

        private void step(Random random) {
            int choice = random.nextInt(committers.size() + 2);
            if (choice < committers.size()) {
                step(committers.get(choice));
            } else if (choice == committers.size() && !seals.isEmpty()) {
                seals.remove().run();
            } else if (!background.isEmpty()) {
                background.remove(random.nextInt(background.size())).run();
            }
        }

        private boolean step(LaneCommitter committer) {
            try {
                if (committer.step(0)) {
                    return true;
                }
                committers.remove(committer);
                return false;
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        @Override
        public void commit(LaneCommitter committer) {
            committers.add(committer);
        }

        /** It was told to end, so that it makes no more attempts than one. */
        @Override
        public void awaitEnd(LaneCommitter committer) {
            if (committers.contains(committer)) {
                boolean goesOn = true;
                while (goesOn) {
                    goesOn = step(committer);
                }
            }
        }

        @Override
        public void seal(Runnable task) {
            seals.add(task);
        }

        @Override
        public void sealLater(Runnable task, long delayMs) {
            changeLater(
                    () -> {
                        if (!ended) {
                            seals.add(task);
                        }
                    },
                    delayMs);
        }

        /** The caller waits for it. */
        @Override
        public Executor files() {
            return Runnable::run;
        }

        @Override
        public void background(Runnable task) {
            if (ended) {
                throw new RejectedExecutionException("the journal has ended");
            }
            background.add(task);
        }

        @Override
        public void close() {
            ended = true;
            background.clear();
            while (!seals.isEmpty()) {
                seals.remove().run();
            }
            journals.remove(this);
        }
    }
}
