package io.talosgateway.verifier;

import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;

/**
 * One of the clients of a phase: puts, gets and asks for the end through one gateway, whatever is done to it, at the same instants as the
 * others. For one thread.
 */
final class PhaseClient {

    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final Duration SHORT_WAIT = Duration.ofMillis(100);

    private final VerifyContext context;
    private final Calls calls;
    private final Bounds bounds;
    private final int gateway;
    private final int partitions;
    private final int writer;
    private final AtomicInteger numbers;
    private final SplittableRandom random;
    /** A put that may be tried again. */
    private @Nullable Put pending;

    /**
     * A client.
     *
     * @param writer whose puts it makes
     * @param numbers of these puts
     */
    PhaseClient(
            VerifyContext context,
            Calls calls,
            Bounds bounds,
            int gateway,
            int partitions,
            int writer,
            AtomicInteger numbers,
            SplittableRandom random) {
        this.context = context;
        this.calls = calls;
        this.bounds = bounds;
        this.gateway = gateway;
        this.partitions = partitions;
        this.writer = writer;
        this.numbers = numbers;
        this.random = random;
    }

    /** Does one thing after another; those whose instant has passed are left out. */
    void run(long beganNanos, long untilNanos, PhaseLog log, CountDownLatch stop) throws InterruptedException {
        for (long tick = 1; !log.isFull(); tick = 1 + (context.nowNanos() - beganNanos) / TICK_NANOS) {
            long dueNanos = beganNanos + tick * TICK_NANOS;
            if (dueNanos > untilNanos || stop.await(dueNanos - context.nowNanos(), TimeUnit.NANOSECONDS)) {
                return;
            }
            operate();
        }
    }

    private void operate() {
        int partition = random.nextInt(partitions);
        long end = bounds.known(partition).end();
        switch (random.nextInt(12)) {
            case 0, 1, 2, 3, 4 -> put(partition);
            case 5, 6, 7 -> get(partition, new From(Math.max(0, end - random.nextInt(3))), Duration.ZERO);
            case 8 -> get(partition, new From(end + random.nextInt(2)), SHORT_WAIT);
            case 9 -> get(partition, From.LATEST, Duration.ZERO);
            default -> calls.status(partition, gateway);
        }
    }

    private void get(int partition, From from, Duration wait) {
        calls.get(partition, from, wait, gateway);
    }

    private void put(int partition) {
        Put put = pending != null && random.nextBoolean()
                ? pending
                : Put.ofOne(writer, numbers.getAndIncrement(), partition);
        PutAnswer answer =
                calls.put(put, gateway, (int) context.plan().timeout().toMillis());
        pending = answer.outcome() != Outcome.STORED && answer.mayTryAgain() ? put : null;
    }
}
