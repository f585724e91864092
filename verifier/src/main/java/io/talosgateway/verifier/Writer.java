package io.talosgateway.verifier;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.talosgateway.loadgen.plan.Pacing;

/**
 * One put of a writer under way: puts one after another, each again and again until it is acknowledged or the writer gives up, and
 * repeats old ones. A writer with a window is several of these. For one thread.
 */
final class Writer {

    /** Acknowledged puts that may be repeated. */
    private static final int MOST_REPEATABLE = 32;
    /** Of so many acknowledged puts, one is kept for later. */
    private static final int KEEP_ONE_OF = 8;

    private final VerifyContext context;
    private final int writer;
    private final AtomicInteger numbers;
    private final List<Integer> partitions;
    private final Pacing pacing;
    private final SplittableRandom random;
    private final WriterHabits habits;
    private final CountDownLatch stop;
    private final List<Begun> repeatable = new ArrayList<>();

    private record Begun(Put put, long begunAs) {}

    /**
     * A window of one.
     *
     * @param numbers of the writer's puts, shared by its windows
     * @param partitions that its puts go to
     * @param pacing shared by all writers
     * @param stop ends it
     */
    Writer(
            VerifyContext context,
            int writer,
            AtomicInteger numbers,
            List<Integer> partitions,
            Pacing pacing,
            SplittableRandom random,
            CountDownLatch stop) {
        this.context = context;
        this.writer = writer;
        this.numbers = numbers;
        this.partitions = partitions;
        this.pacing = pacing;
        this.random = random;
        this.habits = new WriterHabits(random, context.plan().timeout);
        this.stop = stop;
    }

    void run() throws InterruptedException {
        try (Calls calls = new Calls(context)) {
            while (!pauses(pacing.nextNanos() - context.nowNanos())
                    && !context.books().attempts.isFull()) {
                if (!repeatable.isEmpty() && habits.repeats()) {
                    repeatOld(calls);
                } else {
                    Put put = new Put(
                            writer,
                            numbers.getAndIncrement(),
                            partitions.get(random.nextInt(partitions.size())),
                            habits.count(),
                            habits.sendsKey());
                    putNew(calls, new Begun(put, context.keys().begin(put.partition())));
                }
            }
        }
    }

    private void putNew(Calls calls, Begun begun) throws InterruptedException {
        Put put = begun.put;
        PutAnswer answer = attempt(calls, put);
        if (!put.keyed()) {
            return;
        }
        for (int attempts = 1; habits.triesAgain(answer, attempts); attempts++) {
            boolean gone = !context.keys().remembers(put.partition(), begun.begunAs);
            if (pauses(habits.pause(answer, attempts).toNanos()) || gone) {
                return;
            }
            answer = attempt(calls, put);
        }
        if (answer.outcome() == Outcome.STORED) {
            if (habits.repeats()) {
                attempt(calls, put);
            }
            if (!context.names().expires(put.partition())) {
                // The keys of messages that have expired may be forgotten.
                keepForLater(begun);
            }
        }
    }

    private void keepForLater(Begun begun) {
        if (repeatable.size() < MOST_REPEATABLE) {
            repeatable.add(begun);
        } else if (random.nextInt(KEEP_ONE_OF) == 0) {
            repeatable.set(random.nextInt(MOST_REPEATABLE), begun);
        }
    }

    private void repeatOld(Calls calls) {
        int index = random.nextInt(repeatable.size());
        Begun old = repeatable.get(index);
        if (context.keys().remembers(old.put.partition(), old.begunAs)) {
            attempt(calls, old.put);
        } else {
            repeatable.remove(index);
        }
    }

    private PutAnswer attempt(Calls calls, Put put) {
        return calls.put(put, context.choice().choose(random, context.nowNanos()), habits.timeoutMs());
    }

    /** Waits; true if it is over. */
    private boolean pauses(long nanos) throws InterruptedException {
        return stop.await(nanos, TimeUnit.NANOSECONDS);
    }
}
