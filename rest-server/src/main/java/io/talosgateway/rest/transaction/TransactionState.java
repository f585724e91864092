package io.talosgateway.rest.transaction;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.partition.TransactionAnswer;
import io.talosgateway.rest.statelog.Decider.Decision;
import io.talosgateway.rest.statelog.LogState;
import io.talosgateway.rest.topic.TopicId;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.wire.message.MessageBlock;
import org.jspecify.annotations.Nullable;

/**
 * The transactions of one partition of the topic for transactions: decides what a request changes, and makes changes.
 *
 * <pre>
 * prepare --> OPEN --commit--> DECIDED --the block is stored--> COMMITTED
 *              |
 *              +--rollback, time-out--> ROLLED_BACK
 * </pre>
 *
 * A new owner gives whole timeouts. What has ended is remembered, the newest of it.
 */
final class TransactionState implements LogState<TransactionRecord> {

    /** Where a transaction is on its way. */
    enum Stage {
        OPEN,
        DECIDED,
        COMMITTED,
        ROLLED_BACK
    }

    /**
     * A transaction that is decided, and has not ended.
     *
     * @param fromOffset the block is at this offset or behind it, if it is stored
     */
    record Delivery(long id, TopicPartition partition, MessageBlock block, long fromOffset) {}

    private record Open(TopicPartition partition, MessageBlock block, long timeoutNanos) {}

    private record Ended(TopicPartition partition, boolean committed) {}

    private final TransactionConfig config;
    private long nextId = 1;
    /** Those that have not ended, by id. */
    private final TreeMap<Long, Open> open = new TreeMap<>();

    /** Where to look for the blocks of those that are decided, by id. */
    private final TreeMap<Long, Long> decided = new TreeMap<>();

    private final LinkedHashMap<Long, Ended> ended = new LinkedHashMap<>();
    /** Of {@link #open}. */
    private long bytes;

    TransactionState(TransactionConfig config) {
        this.config = config;
    }

    // --- Decisions ---

    /** @throws GatewayException {@code TOO_MANY_TRANSACTIONS}, {@code INVALID_MESSAGE} */
    Decision<TransactionRecord, TransactionAnswer> prepare(TopicPartition partition, MessageBlock block) {
        long weight = TransactionRecordCodec.weight(block);
        long most = config.maxPreparedSize().toBytes();
        if (weight > most) {
            throw new GatewayException(
                    ErrorCode.INVALID_MESSAGE,
                    "A block of %d bytes cannot be prepared: it may have %d (transaction.max-prepared-size)."
                            .formatted(block.bytes(), most - TransactionRecordCodec.OVERHEAD_BYTES));
        }
        if (open.size() >= config.maxPrepared() || bytes + weight > most) {
            throw new GatewayException(
                    ErrorCode.TOO_MANY_TRANSACTIONS,
                    ("%d transactions of %d bytes beside this one are neither committed nor rolled back; no more are allowed. "
                                    + "Try again when some of them have ended.")
                            .formatted(open.size(), bytes));
        }
        return new Decision<>(
                TransactionAnswer.of(nextId), List.of(new TransactionRecord.Prepared(nextId, partition, block)));
    }

    /** @throws GatewayException {@code TRANSACTION_NOT_FOUND} */
    Stage stage(TopicPartition partition, long id) {
        Open kept = open.get(id);
        if (kept != null && kept.partition().equals(partition)) {
            return decided.containsKey(id) ? Stage.DECIDED : Stage.OPEN;
        }
        Ended end = ended.get(id);
        if (end != null && end.partition().equals(partition)) {
            return end.committed() ? Stage.COMMITTED : Stage.ROLLED_BACK;
        }
        throw new GatewayException(
                ErrorCode.TRANSACTION_NOT_FOUND,
                "There is no transaction %d of partition %d of the topic, or it ended long ago."
                        .formatted(id, partition.partition()));
    }

    /**
     * Decides that a transaction is committed, if that is open.
     *
     * @param endOffset where its partition ends
     * @return where the transaction was before; if it was open, it is decided now
     * @throws GatewayException {@code TRANSACTION_NOT_FOUND}, {@code TRANSACTION_FINISHED} if it is rolled back
     */
    Decision<TransactionRecord, Stage> commit(TopicPartition partition, long id, long endOffset) {
        Stage stage = stageForCommit(partition, id);
        return stage == Stage.OPEN
                ? new Decision<>(Stage.OPEN, List.of(new TransactionRecord.Decided(id, endOffset)))
                : new Decision<>(stage, List.of());
    }

    /** As {@link #commit}, before it is known where the partition ends. */
    Stage stageForCommit(TopicPartition partition, long id) {
        Stage stage = stage(partition, id);
        if (stage == Stage.ROLLED_BACK) {
            throw new GatewayException(
                    ErrorCode.TRANSACTION_FINISHED,
                    "The transaction %d is rolled back, by a request or because it was not committed for %d seconds."
                            .formatted(id, config.timeout().toSeconds()));
        }
        return stage;
    }

    /** @throws GatewayException {@code TRANSACTION_NOT_FOUND}, {@code TRANSACTION_FINISHED} if it is, or will be, committed */
    Decision<TransactionRecord, TransactionAnswer> rollback(TopicPartition partition, long id) {
        return switch (stage(partition, id)) {
            case OPEN ->
                new Decision<>(TransactionAnswer.of(id), List.of(new TransactionRecord.Ended(id, partition, false)));
            case ROLLED_BACK -> new Decision<>(TransactionAnswer.of(id), List.of());
            case DECIDED, COMMITTED ->
                throw new GatewayException(
                        ErrorCode.TRANSACTION_FINISHED, "The transaction %d is committed.".formatted(id));
        };
    }

    /**
     * The oldest transactions of a partition that are neither committed nor rolled back.
     *
     * @param maxBytes of blocks; one is told at least
     */
    Decision<TransactionRecord, TransactionAnswer> undecided(TopicPartition partition, int maxCount, long maxBytes) {
        List<TransactionAnswer.Prepared> found = new ArrayList<>();
        long foundBytes = 0;
        for (Map.Entry<Long, Open> entry : open.entrySet()) {
            MessageBlock block = entry.getValue().block();
            if (!entry.getValue().partition().equals(partition) || decided.containsKey(entry.getKey())) {
                continue;
            }
            if (!found.isEmpty() && (found.size() == maxCount || foundBytes + block.bytes() > maxBytes)) {
                return told(found, false);
            }
            found.add(new TransactionAnswer.Prepared(entry.getKey(), block));
            foundBytes += block.bytes();
        }
        return told(found, true);
    }

    private static Decision<TransactionRecord, TransactionAnswer> told(
            List<TransactionAnswer.Prepared> found, boolean complete) {
        return new Decision<>(new TransactionAnswer(0, found, complete), List.of());
    }

    /** Rolls back what is open for too long; answers with the ids of those that are decided, and have not ended. */
    Decision<TransactionRecord, List<Long>> timeOut(long nowNanos) {
        List<TransactionRecord> records = new ArrayList<>();
        open.forEach((id, kept) -> {
            if (kept.timeoutNanos() - nowNanos <= 0 && !decided.containsKey(id)) {
                records.add(new TransactionRecord.Ended(id, kept.partition(), false));
            }
        });
        return new Decision<>(List.copyOf(decided.keySet()), records);
    }

    /** A transaction that is decided, and has not ended; else null. */
    @Nullable
    Delivery delivery(long id) {
        Long fromOffset = decided.get(id);
        Open kept = open.get(id);
        return fromOffset == null || kept == null ? null : new Delivery(id, kept.partition(), kept.block(), fromOffset);
    }

    /** Says where to look for the block of a transaction, after its partition has lost messages. */
    Decision<TransactionRecord, Boolean> moved(long id, long endOffset) {
        return delivery(id) == null
                ? new Decision<>(false, List.of())
                : new Decision<>(true, List.of(new TransactionRecord.Decided(id, endOffset)));
    }

    /** Ends a transaction whose block is stored. */
    Decision<TransactionRecord, Boolean> delivered(long id) {
        Delivery delivery = delivery(id);
        return delivery == null
                ? new Decision<>(false, List.of())
                : new Decision<>(true, List.of(new TransactionRecord.Ended(id, delivery.partition(), true)));
    }

    // --- Changes ---

    @Override
    public void apply(TransactionRecord record, long nowNanos) {
        if (record instanceof TransactionRecord.Counted counted) {
            nextId = Math.max(nextId, counted.nextId());
        } else if (record instanceof TransactionRecord.Prepared prepared) {
            count(prepared.id());
            Open kept = new Open(
                    prepared.partition(),
                    prepared.block(),
                    nowNanos + config.timeout().toNanos());
            if (open.put(prepared.id(), kept) == null) {
                bytes += TransactionRecordCodec.weight(prepared.block());
            }
        } else if (record instanceof TransactionRecord.Decided decision) {
            if (open.containsKey(decision.id())) {
                decided.put(decision.id(), decision.fromOffset());
            }
        } else if (record instanceof TransactionRecord.Ended end) {
            count(end.id());
            close(end.id());
            ended.putIfAbsent(end.id(), new Ended(end.partition(), end.committed()));
            if (ended.size() > config.maxRemembered()) {
                ended.remove(ended.keySet().iterator().next());
            }
        } else if (record instanceof TransactionRecord.Forgotten forgotten) {
            List<Long> gone = new ArrayList<>();
            open.forEach((id, kept) -> {
                if (kept.partition().topic().equals(forgotten.topic())) {
                    gone.add(id);
                }
            });
            gone.forEach(this::close);
            ended.values().removeIf(end -> end.partition().topic().equals(forgotten.topic()));
        } else {
            throw new AssertionError(record);
        }
    }

    private void count(long id) {
        nextId = Math.max(nextId, id + 1);
    }

    private void close(long id) {
        Open closed = open.remove(id);
        decided.remove(id);
        if (closed != null) {
            bytes -= TransactionRecordCodec.weight(closed.block());
        }
    }

    /** Bytes. */
    @Override
    public long size() {
        return bytes + (long) TransactionRecordCodec.OVERHEAD_BYTES * (1 + decided.size() + ended.size());
    }

    /** Transactions that have not ended. */
    int openCount() {
        return open.size();
    }

    /** Transactions that are decided, and have not ended. */
    int decidedCount() {
        return decided.size();
    }

    /** Bytes of the transactions that have not ended, as an int is enough for. */
    int openBytes() {
        return (int) Math.min(Integer.MAX_VALUE, bytes);
    }

    @Override
    public List<TransactionRecord> asRecords() {
        List<TransactionRecord> records = new ArrayList<>();
        records.add(new TransactionRecord.Counted(nextId));
        ended.forEach((id, end) -> records.add(new TransactionRecord.Ended(id, end.partition(), end.committed())));
        open.forEach((id, kept) -> records.add(new TransactionRecord.Prepared(id, kept.partition(), kept.block())));
        decided.forEach((id, fromOffset) -> records.add(new TransactionRecord.Decided(id, fromOffset)));
        return records;
    }

    @Override
    public Set<TopicId> topics() {
        Set<TopicId> topics = new HashSet<>();
        open.values().forEach(kept -> topics.add(kept.partition().topic()));
        ended.values().forEach(end -> topics.add(end.partition().topic()));
        return topics;
    }

    @Override
    public List<TransactionRecord> forgetting(Set<TopicId> topics) {
        Map<TopicId, TransactionRecord> records = new HashMap<>();
        topics().stream()
                .filter(topics::contains)
                .forEach(topic -> records.put(topic, new TransactionRecord.Forgotten(topic)));
        return List.copyOf(records.values());
    }
}
