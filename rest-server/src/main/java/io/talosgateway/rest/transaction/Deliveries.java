package io.talosgateway.rest.transaction;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import io.talosgateway.rest.coordination.TopicRegistry;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.hosting.HostedPartition;
import io.talosgateway.rest.message.IdempotencyKey;
import io.talosgateway.rest.message.MessageBatch;
import io.talosgateway.rest.partition.PartitionService;
import io.talosgateway.rest.partition.PutRequest;
import io.talosgateway.rest.statelog.Decider.Decision;
import io.talosgateway.rest.statelog.StateLogs;
import io.talosgateway.rest.topic.TopicMetadata;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.scheduler.Deadline;
import io.talosgateway.scheduler.NanoClock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores the blocks of transactions that are decided in their partitions, each once, and has them end then.
 *
 * <p>A put with the same idempotency key, while the owner of the partition remembers it, stores nothing again. It does not remember
 * for ever: so a block that may have been put before is looked for first, by its {@link TransactionMark}, from where the partition
 * ended when the transaction was decided. Safe for use by any thread; does not block.
 */
final class Deliveries {

    private static final Logger log = LoggerFactory.getLogger(Deliveries.class);

    private static final Duration PUT_TIME = Duration.ofSeconds(20);
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LAST_PAUSE = Duration.ofSeconds(30);
    /** Of one partition of the topic for transactions, of those that no request asks for. */
    private static final int MOST_AT_ONCE = 16;

    private final StateLogs<TransactionState, TransactionRecord> logs;
    private final TopicRegistry topics;
    private final Supplier<PartitionService> partitions;
    private final NanoClock clock;
    private final Map<Key, Attempts> underWay = new ConcurrentHashMap<>();

    /** @param partitions of all hosts */
    Deliveries(
            StateLogs<TransactionState, TransactionRecord> logs,
            TopicRegistry topics,
            Supplier<PartitionService> partitions,
            NanoClock clock) {
        this.logs = logs;
        this.topics = topics;
        this.partitions = partitions;
        this.clock = clock;
    }

    private record Key(HostedPartition coordinator, long id) {}

    /**
     * Stores the block of a transaction, unless that is under way.
     *
     * @param first whether it was decided just now, by who asks: nobody can have put it before
     * @return completed when the transaction has ended; or with {@code OUTCOME_UNKNOWN}, after which it goes on
     */
    CompletableFuture<Void> deliver(HostedPartition coordinator, long id, boolean first) {
        Key key = new Key(coordinator, id);
        return underWay.computeIfAbsent(key, absent -> new Attempts(key, first)).begin();
    }

    /** Goes on with those that are decided, if it is time. */
    void goOn(HostedPartition coordinator, List<Long> decided) {
        underWay.keySet().removeIf(key -> key.coordinator().isEndClosed());
        long running = underWay.entrySet().stream()
                .filter(entry -> entry.getKey().coordinator() == coordinator
                        && entry.getValue().isRunning())
                .count();
        decided.stream()
                .filter(id -> {
                    Attempts attempts = underWay.get(new Key(coordinator, id));
                    return attempts == null || attempts.isDue();
                })
                .limit(Math.max(0, MOST_AT_ONCE - running))
                .forEach(id -> deliver(coordinator, id, false));
    }

    /** The attempts to store a block, one after another. */
    private final class Attempts {

        private final Key key;

        // Guarded by this.
        private boolean first;
        private @Nullable CompletableFuture<Void> running;
        private long pauseNanos = FIRST_PAUSE.toNanos();
        private long dueNanos = clock.nanoTime();

        Attempts(Key key, boolean first) {
            this.key = key;
            this.first = first;
        }

        synchronized boolean isRunning() {
            return running != null;
        }

        synchronized boolean isDue() {
            return running == null && dueNanos - clock.nanoTime() <= 0;
        }

        CompletableFuture<Void> begin() {
            CompletableFuture<Void> attempt = new CompletableFuture<>();
            boolean mayBeStored;
            synchronized (this) {
                if (running != null) {
                    return running;
                }
                running = attempt;
                mayBeStored = !first;
                first = false;
            }
            attempt(mayBeStored).whenComplete((done, failure) -> {
                if (failure == null) {
                    underWay.remove(key, this);
                } else {
                    paused(failure);
                }
                synchronized (this) {
                    running = null;
                }
                if (failure == null) {
                    attempt.complete(null);
                } else {
                    attempt.completeExceptionally(goesOn(failure));
                }
            });
            return attempt;
        }

        private synchronized void paused(Throwable failure) {
            dueNanos = clock.nanoTime() + pauseNanos;
            pauseNanos = Math.min(LAST_PAUSE.toNanos(), pauseNanos * 2);
            log.debug(
                    "Transaction {} of {} is stored later",
                    key.id(),
                    key.coordinator().partition(),
                    failure);
        }

        private static GatewayException goesOn(Throwable failure) {
            return new GatewayException(
                    ErrorCode.OUTCOME_UNKNOWN,
                    "The transaction is committed, but its messages may not be stored yet: %s The gateway goes on trying; commit again to see when they are."
                            .formatted(GatewayException.in(failure)
                                    .map(GatewayException::detail)
                                    .orElse("an unexpected failure.")));
        }

        private CompletableFuture<Boolean> attempt(boolean mayBeStored) {
            HostedPartition coordinator = key.coordinator();
            return logs.ask(
                            coordinator,
                            (state, nowNanos) ->
                                    new Decision<>(Optional.ofNullable(state.delivery(key.id())), List.of()))
                    .thenCompose(delivery -> delivery.isEmpty()
                            ? CompletableFuture.completedFuture(true)
                            : store(delivery.get(), mayBeStored))
                    .thenCompose(done -> logs.ask(coordinator, (state, nowNanos) -> state.delivered(key.id())));
        }

        private CompletableFuture<Boolean> store(TransactionState.Delivery delivery, boolean mayBeStored) {
            TopicMetadata topic = topics.find(delivery.partition().topic());
            if (topic == null) {
                return logs.forgetDeletedTopics(key.coordinator())
                        .thenCompose(done -> CompletableFuture.failedFuture(
                                new GatewayException(ErrorCode.TOPIC_NOT_FOUND, "The topic is deleted.")));
            }
            CompletableFuture<Boolean> stored =
                    mayBeStored ? isStored(delivery) : CompletableFuture.completedFuture(false);
            return stored.thenCompose(found -> found ? CompletableFuture.completedFuture(true) : put(topic, delivery));
        }

        private CompletableFuture<Boolean> isStored(TransactionState.Delivery delivery) {
            TopicPartition partition = delivery.partition();
            return partitions
                    .get()
                    .describe(partition, Deadline.after(clock, PUT_TIME))
                    .thenCompose(status -> {
                        if (status.logEndOffset() < delivery.fromOffset()) {
                            // Messages that were in memory are lost, the block among them if it was stored.
                            return logs.ask(
                                            key.coordinator(),
                                            (state, nowNanos) -> state.moved(delivery.id(), status.logEndOffset()))
                                    .thenApply(done -> false);
                        }
                        return new BlockSearch(partitions.get(), clock)
                                .find(
                                        partition,
                                        block -> TransactionMark.isOf(block, delivery.id(), delivery.block()),
                                        Math.max(delivery.fromOffset(), status.logStartOffset()),
                                        status.logEndOffset());
                    });
        }

        private CompletableFuture<Boolean> put(TopicMetadata topic, TransactionState.Delivery delivery) {
            PutRequest put = new PutRequest(
                    delivery.partition(),
                    new MessageBatch(List.of(TransactionMark.mark(delivery.block(), delivery.id()))),
                    idempotencyKey(delivery),
                    topic.durability(),
                    topic.importance(),
                    Deadline.after(clock, PUT_TIME),
                    null);
            return partitions.get().put(put).thenApply(result -> true);
        }

        /** No client's: theirs are digests, without a slash. */
        private IdempotencyKey idempotencyKey(TransactionState.Delivery delivery) {
            return new IdempotencyKey("transaction/" + key.coordinator().partition() + "/" + delivery.id(), false);
        }
    }
}
