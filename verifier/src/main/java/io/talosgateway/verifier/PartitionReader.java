package io.talosgateway.verifier;

import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.talosgateway.client.Messages;

/** Reads a partition from its beginning and follows its end, through one gateway and another. For one thread. */
final class PartitionReader implements Runnable {

    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    /** After so many gets, it goes on with another gateway. */
    private static final int GETS_OF_A_GATEWAY = 50;

    private final VerifyContext context;
    private final String name;
    private final int partition;
    private final boolean expires;
    private final Following following;
    private final SplittableRandom random;
    private final CountDownLatch stop;
    /** Whether what comes next has expired, or may have. */
    private boolean fromEarliest;

    /** @param last whether this is the last reading of all */
    PartitionReader(
            VerifyContext context,
            String name,
            int partition,
            boolean last,
            SplittableRandom random,
            CountDownLatch stop) {
        this.context = context;
        this.name = name;
        this.partition = partition;
        this.expires = context.names().expires(partition);
        this.fromEarliest = expires;
        this.following = new Following(
                name,
                partition,
                last,
                expires,
                context.content(),
                context.books().ledger(),
                context.books().violations());
        this.random = random;
        this.stop = stop;
    }

    /** Follows the partition until it is told to stop. */
    @Override
    public void run() {
        try (Calls calls = new Calls(context)) {
            // Long polls, as long as a put may take.
            Duration wait = context.plan().timeout();
            int gateway = context.choice().choose(random, context.nowNanos());
            for (int gets = 1; stop.getCount() > 0; gets++) {
                GetAnswer answer = calls.get(partition, next(), wait, gateway);
                boolean well = take(answer);
                if (!well || gets % GETS_OF_A_GATEWAY == 0) {
                    gateway = context.choice().choose(random, context.nowNanos());
                }
                if (!well && stop.await(PAUSE_NANOS, TimeUnit.NANOSECONDS)) {
                    return;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Reads the partition to its end.
     *
     * @param untilNanos when to give up
     * @return whether the end was reached
     */
    boolean readAll(long untilNanos) throws InterruptedException {
        try (Calls calls = new Calls(context)) {
            while (context.nowNanos() < untilNanos) {
                int gateway = context.choice().choose(random, context.nowNanos());
                GetAnswer answer = calls.get(partition, next(), Duration.ZERO, gateway);
                Messages messages = answer.messages();
                Long end = messages == null ? null : messages.logEndOffset();
                if (take(answer)
                        && messages != null
                        && messages.messages().isEmpty()
                        && end != null
                        && following.nextOffset() >= end) {
                    following.endsHere();
                    return true;
                }
                if (messages == null && stop.await(PAUSE_NANOS, TimeUnit.NANOSECONDS)) {
                    return false;
                }
            }
            return false;
        }
    }

    private From next() {
        return fromEarliest ? From.EARLIEST : new From(following.nextOffset());
    }

    /** False if the get failed. */
    private boolean take(GetAnswer answer) {
        Messages messages = answer.messages();
        if (messages != null) {
            context.books().read.add(messages.messages().size());
            if (fromEarliest) {
                following.takeEarliest(messages);
                fromEarliest = false;
            } else {
                following.take(messages);
            }
            return true;
        }
        if (answer.code().equals(PutAnswer.MALFORMED)) {
            context.books()
                    .violations()
                    .add(
                            Rule.UNDERSTOOD,
                            "%s, which has read partition %d up to offset %d, was answered with %s: %s"
                                    .formatted(
                                            name,
                                            partition,
                                            following.nextOffset() - 1,
                                            answer.code(),
                                            answer.detail()));
        } else if (answer.isOutOfRange() && expires) {
            fromEarliest = true;
        }
        return false;
    }
}
