package io.talosgateway.verifier;

import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Reads a partition from its beginning and follows its end, through one gateway and another. For one thread. */
final class PartitionReader {

    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    /** After so many gets, it goes on with another gateway; the last reader of all after each. */
    private static final int GETS_OF_A_GATEWAY = 50;

    private final VerifyContext context;
    private final int partition;
    private final boolean last;
    private final Following following;
    private final SplittableRandom random;
    private final CountDownLatch stop;

    /** @param last whether this is the last reading of all */
    PartitionReader(
            VerifyContext context,
            String name,
            int partition,
            boolean last,
            SplittableRandom random,
            CountDownLatch stop) {
        this.context = context;
        this.partition = partition;
        this.last = last;
        this.following = new Following(
                name, partition, last, context.names().expires(partition), context.content(), context.books());
        this.random = random;
        this.stop = stop;
    }

    /** Follows the partition until it is told to stop. Long polls, as long as a put may take. */
    void run() throws InterruptedException {
        read(context.plan().timeout, Long.MAX_VALUE);
    }

    /**
     * Reads the partition to its end.
     *
     * @param untilNanos when to give up
     * @return whether the end was reached
     */
    boolean readAll(long untilNanos) throws InterruptedException {
        return read(Duration.ZERO, untilNanos);
    }

    private boolean read(Duration wait, long untilNanos) throws InterruptedException {
        try (Calls calls = new Calls(context)) {
            int gateway = context.choice().choose(random, context.nowNanos());
            for (int gets = 1; stop.getCount() > 0 && context.nowNanos() < untilNanos; gets++) {
                GetAnswer answer = calls.get(partition, following.next(), wait, gateway);
                boolean well = following.take(answer);
                if (last && following.isAtEnd(answer)) {
                    following.endsHere();
                    return true;
                }
                if (!well && stop.await(PAUSE_NANOS, TimeUnit.NANOSECONDS)) {
                    return false;
                }
                if (!well || last || gets % GETS_OF_A_GATEWAY == 0) {
                    gateway = context.choice().choose(random, context.nowNanos());
                }
            }
            return false;
        }
    }
}
