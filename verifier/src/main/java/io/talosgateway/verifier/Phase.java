package io.talosgateway.verifier;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.talosgateway.client.Message;
import io.talosgateway.client.Messages;
import io.talosgateway.verifier.HistoryOperation.Kind;
import org.jspecify.annotations.Nullable;

/** One phase: a topic that was just made, what its clients do, and what they are answered, by partition. Safe for use by any thread. */
final class Phase implements Calls.Log {

    static final int PARTITIONS = 3;

    private static final int MOST_OF_A_PARTITION = 5_000;
    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final Duration SHORT_WAIT = Duration.ofMillis(100);

    private final VerifyContext context;
    private final Namespace names;
    private final Bounds bounds;
    private final long beganNanos;
    private final List<List<HistoryOperation>> histories = new ArrayList<>();

    /**
     * The phase begins now.
     *
     * @param earlier by partition: puts of earlier phases which may still take effect
     */
    Phase(VerifyContext context, String topic, List<List<HistoryOperation>> earlier) {
        this.context = context;
        names = new Namespace(topic, PARTITIONS);
        bounds = new Bounds(PARTITIONS, any -> false, context.cluster().gatewayNames(), context.books().violations);
        beganNanos = context.nowNanos();
        earlier.forEach(puts -> histories.add(new ArrayList<>(puts)));
    }

    /** Requests to the topic of the phase, which become part of its histories. */
    Calls calls() {
        return new Calls(context, names, bounds, this);
    }

    /**
     * Puts, gets and asks for the end through one gateway, whatever is done to it, at the same instants as the other clients. What
     * has to be done at an instant that has passed is left out.
     *
     * @param writer whose puts it makes
     * @param numbers of these puts
     */
    void act(int gateway, int writer, AtomicInteger numbers, SplittableRandom random, CountDownLatch stop)
            throws InterruptedException {
        long untilNanos = beganNanos + context.plan().faultEvery.toNanos();
        try (Calls calls = calls()) {
            @Nullable Put pending = null;
            for (long tick = 1; !isFull(); tick = 1 + (context.nowNanos() - beganNanos) / TICK_NANOS) {
                long dueNanos = beganNanos + tick * TICK_NANOS;
                if (dueNanos > untilNanos || stop.await(dueNanos - context.nowNanos(), TimeUnit.NANOSECONDS)) {
                    return;
                }
                int partition = random.nextInt(PARTITIONS);
                long end = bounds.known(partition).end();
                switch (random.nextInt(12)) {
                    case 0, 1, 2, 3, 4 -> {
                        Put put = pending != null && random.nextBoolean()
                                ? pending
                                : Put.ofOne(writer, numbers.getAndIncrement(), partition);
                        pending = put(calls, put, gateway);
                    }
                    case 5, 6, 7 ->
                        calls.get(partition, new From(Math.max(0, end - random.nextInt(3))), Duration.ZERO, gateway);
                    case 8 -> calls.get(partition, new From(end + random.nextInt(2)), SHORT_WAIT, gateway);
                    case 9 -> calls.get(partition, From.LATEST, Duration.ZERO, gateway);
                    default -> calls.status(partition, gateway);
                }
            }
        }
    }

    /** Gives the put if it may be tried again. */
    private @Nullable Put put(Calls calls, Put put, int gateway) {
        PutAnswer answer = calls.put(put, gateway, (int) context.plan().timeout.toMillis());
        return answer.outcome() != Outcome.STORED && answer.mayTryAgain() ? put : null;
    }

    /** Whether no more operations should begin; those under way are still taken. */
    private synchronized boolean isFull() {
        return histories.stream().anyMatch(history -> history.size() >= MOST_OF_A_PARTITION);
    }

    synchronized List<HistoryOperation> history(int partition) {
        return List.copyOf(histories.get(partition));
    }

    @Override
    public void attempted(Attempt attempt) {
        PutAnswer answer = attempt.answer();
        if (answer.outcome() == Outcome.NOT_STORED) {
            return;
        }
        boolean unknown = answer.outcome() == Outcome.UNKNOWN;
        Put put = attempt.put();
        add(
                put.partition(),
                unknown ? Kind.MAYBE_PUT : answer.repeat() ? Kind.REPEAT : Kind.PUT,
                attempt.startNanos(),
                unknown ? HistoryOperation.NEVER : attempt.endNanos(),
                unknown ? HistoryOperation.UNPLACED : answer.firstOffset(),
                List.of(MessageId.of(put.writer(), put.number(), 0)),
                attempt.gateway());
    }

    /**
     * The place that a get from 'latest' looks up, the messages, and the end that is named are read one after another: each of
     * them is an operation.
     */
    @Override
    public void got(Get get) {
        Messages messages = get.answer().messages();
        if (messages != null) {
            List<MessageId> payloads = new ArrayList<>();
            long from = messages.nextOffset() - messages.messages().size();
            for (Message message : messages.messages()) {
                boolean inPlace = message.offset() == from + payloads.size();
                payloads.add(inPlace ? context.content().read(message.payload()) : MessageId.foreign(payloads.size()));
            }
            if (get.from().equals(From.LATEST)) {
                add(get, Kind.END, from, List.of());
            }
            add(get, Kind.READ, from, payloads);
            Long end = messages.logEndOffset();
            if (end != null) {
                add(get, Kind.END, end, List.of());
            }
        } else if (get.answer().isOutOfRange()) {
            add(get, Kind.BEYOND, get.from().offset(), List.of());
        }
    }

    private void add(Get get, Kind kind, long offset, List<MessageId> payloads) {
        add(get.partition(), kind, get.startNanos(), get.endNanos(), offset, payloads, get.gateway());
    }

    private synchronized void add(
            int partition,
            Kind kind,
            long callNanos,
            long returnNanos,
            long offset,
            List<MessageId> payloads,
            int gateway) {
        String by = context.cluster().gateways().get(gateway).name();
        histories.get(partition).add(new HistoryOperation(kind, callNanos, returnNanos, offset, payloads, by));
    }
}
