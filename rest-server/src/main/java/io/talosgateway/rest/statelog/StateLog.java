package io.talosgateway.rest.statelog;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.ToIntFunction;

import io.talosgateway.rest.admission.Refusals;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.hosting.HostedPartition;
import io.talosgateway.rest.journal.lane.AppendResult;
import io.talosgateway.rest.journal.read.ReadResult;
import io.talosgateway.rest.message.MessageBatch;
import io.talosgateway.rest.topic.TopicId;
import io.talosgateway.scheduler.Deadline;
import io.talosgateway.scheduler.Priority;
import io.talosgateway.scheduler.TaskRejectedException;
import io.talosgateway.wire.message.StoredBlock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The state of one partition, while this host owns it: reads the log into a {@link LogState}, decides requests one after another,
 * and answers them when what they rest on is durable. Safe for use by any thread; does not block.
 *
 * <p>An append that fails ends it, because the state is ahead of the log then: the next one reads the log again.
 */
final class StateLog<S extends LogState<R>, R> {

    private static final Logger log = LoggerFactory.getLogger(StateLog.class);

    /** What an append may take, however little time the client has: one that fails costs reading the log again. */
    private static final Duration APPEND_TIME = Duration.ofSeconds(20);

    private static final int READ_MESSAGES = 10_000;
    private static final int READ_BYTES = 4 << 20;

    private final HostedPartition hosted;
    private final StateLogKind<S, R> kind;
    private final StateLogParts parts;
    private final CompletableFuture<Void> loaded;

    // Guarded by this.
    private final S state;
    /** Completes when all that was appended is durable; fails if something is not. */
    private CompletableFuture<Void> durable = CompletableFuture.completedFuture(null);
    /** Completes when it is certain what became of all that was appended. */
    private CompletableFuture<Void> decided = CompletableFuture.completedFuture(null);

    private long weightOfLog;
    private boolean rewriting;

    private volatile boolean broken;

    /** @param after when to begin to read the log */
    StateLog(HostedPartition hosted, StateLogKind<S, R> kind, StateLogParts parts, CompletableFuture<Void> after) {
        this.hosted = hosted;
        this.kind = kind;
        this.parts = parts;
        this.state = kind.empty().get();
        this.loaded = after.thenCompose(done -> onPool(this::load));
        loaded.whenComplete((done, failure) -> {
            if (failure == null) {
                rewriteIfLong();
            } else {
                broken = true;
            }
        });
    }

    boolean isFor(HostedPartition other) {
        return hosted == other;
    }

    /** Whether it can be used no more. */
    boolean isBroken() {
        return broken;
    }

    /** Whether another host may own the partition. */
    boolean isGone() {
        return hosted.isEndClosed();
    }

    /** Completes when nothing that it has appended can become durable any more that is not. */
    synchronized CompletableFuture<Void> whenDecided() {
        return decided;
    }

    synchronized int count(ToIntFunction<S> counted) {
        return counted.applyAsInt(state);
    }

    // --- Requests ---

    <T> CompletableFuture<T> ask(Decider<S, R, T> request) {
        return loaded.isDone() && !loaded.isCompletedExceptionally()
                ? decide(request)
                : loaded.thenCompose(done -> decide(request));
    }

    private <T> CompletableFuture<T> decide(Decider<S, R, T> request) {
        Decider.Decision<R, T> decision;
        CompletableFuture<Void> confirmed;
        synchronized (this) {
            // Another owner may have changed what this one remembers.
            hosted.requireEnd();
            long nowNanos = parts.clock().nanoTime();
            decision = request.decide(state, nowNanos);
            append(decision.records(), nowNanos);
            confirmed = durable;
        }
        rewriteIfLong();
        T answer = decision.answer();
        return confirmed.isDone() && !confirmed.isCompletedExceptionally()
                ? CompletableFuture.completedFuture(answer)
                : confirmed.handle((done, failure) -> {
                    if (failure != null) {
                        throw kind.unconfirmed().apply(failure);
                    }
                    return answer;
                });
    }

    /** Makes changes, and records them. Guarded by this. */
    private void append(List<R> records, long nowNanos) {
        if (!records.isEmpty()) {
            store(records);
            records.forEach(record -> state.apply(record, nowNanos));
        }
    }

    /** Records changes. Guarded by this. */
    private CompletableFuture<AppendResult> store(List<R> records) {
        CompletableFuture<AppendResult> outcome = hosted.log()
                .append(
                        new MessageBatch(kind.codec().encode(records)),
                        null,
                        parts.durability(),
                        Deadline.after(parts.clock(), APPEND_TIME))
                .outcome();
        records.forEach(record -> weightOfLog += kind.codec().weight(record));
        CompletableFuture<Void> before = decided;
        decided = outcome.handle((result, failure) -> null).thenCombine(before, (one, other) -> null);
        durable = durable.thenCombine(outcome, (one, other) -> null);
        outcome.whenComplete((result, failure) -> {
            if (failure != null) {
                broken = true;
            }
        });
        return outcome;
    }

    // --- The log ---

    private Void load() {
        hosted.requireEnd();
        long end = hosted.log().durableOffset();
        long offset = hosted.log().logStartOffset();
        int records = 0;
        while (offset < end) {
            ReadResult read = hosted.log().read(offset, READ_MESSAGES, READ_BYTES);
            for (StoredBlock block : read.blocks()) {
                records += load(block);
            }
            offset = read.endOffset();
        }
        if (records > 0) {
            log.info("Read {} records of {} from {}", records, kind.what(), hosted.partition());
        }
        return null;
    }

    private int load(StoredBlock block) {
        try {
            List<R> records = kind.codec().decode(block.block().data());
            synchronized (this) {
                for (R record : records) {
                    state.apply(record, parts.clock().nanoTime());
                    weightOfLog += kind.codec().weight(record);
                }
            }
            return records.size();
        } catch (IOException e) {
            throw new GatewayException(
                    ErrorCode.STORAGE_CORRUPT,
                    "The message at offset %d of partition %s holds no state of %s that this gateway can read: %s."
                            .formatted(block.startOffset(), hosted.partition(), kind.what(), e.getMessage()),
                    e);
        }
    }

    private void rewriteIfLong() {
        synchronized (this) {
            boolean isLong = weightOfLog - state.size() > Math.max(kind.minSuperseded(), state.size());
            if (!isLong || rewriting || broken) {
                return;
            }
            rewriting = true;
        }
        forgetDeletedTopics()
                .thenCompose(done -> writeSnapshot())
                .thenCompose(written -> parts.trim().apply(hosted, written.firstOffset()))
                .whenComplete((done, failure) -> {
                    if (failure != null && !isGone()) {
                        log.warn(
                                "Shortening the log of {} {} failed, trying again later: {}",
                                kind.what(),
                                hosted.partition(),
                                failure.toString());
                    }
                    synchronized (this) {
                        rewriting = false;
                    }
                });
    }

    /** Appends all that there is, so that nothing before it is needed any more. */
    private CompletableFuture<AppendResult> writeSnapshot() {
        synchronized (this) {
            hosted.requireEnd();
            List<R> all = state.asRecords();
            weightOfLog = 0;
            // Something has to be kept, or there would be no offset to delete up to.
            return store(all.isEmpty() ? List.of(kind.codec().nothing()) : all);
        }
    }

    CompletableFuture<Void> forgetDeletedTopics() {
        return onPool(() -> {
            Set<TopicId> topics;
            synchronized (this) {
                topics = state.topics();
            }
            Set<TopicId> deleted = parts.deleted().apply(topics);
            synchronized (this) {
                append(state.forgetting(deleted), parts.clock().nanoTime());
            }
            return null;
        });
    }

    private CompletableFuture<Void> onPool(Callable<Void> work) {
        try {
            return parts.pool().submit(hosted.partition(), Priority.CONTROL, Deadline.NONE, work);
        } catch (TaskRejectedException e) {
            return CompletableFuture.failedFuture(Refusals.of(e));
        }
    }
}
