package io.talosgateway.rest.consumergroup;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

import io.talosgateway.rest.admission.Refusals;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.hosting.HostedPartition;
import io.talosgateway.rest.journal.lane.AppendResult;
import io.talosgateway.rest.journal.read.ReadResult;
import io.talosgateway.rest.message.MessageBatch;
import io.talosgateway.rest.partition.GroupAnswer;
import io.talosgateway.rest.partition.GroupRequest;
import io.talosgateway.rest.topic.TopicId;
import io.talosgateway.scheduler.Deadline;
import io.talosgateway.scheduler.Priority;
import io.talosgateway.scheduler.TaskRejectedException;
import io.talosgateway.wire.message.StoredBlock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The groups of one partition of the topic for consumer groups, while this host owns it: reads the log into a {@link
 * GroupState}, decides requests one after another, and answers them when what they rest on is durable. Safe for use by any
 * thread; does not block.
 *
 * <p>An append that fails ends it, because the state is ahead of the log then: the next one reads the log again.
 */
final class GroupPartition {

    private static final Logger log = LoggerFactory.getLogger(GroupPartition.class);

    /** What an append may take, however little time the client has: one that fails costs reading the log again. */
    private static final Duration APPEND_TIME = Duration.ofSeconds(20);

    private static final int READ_MESSAGES = 10_000;
    private static final int READ_BYTES = 4 << 20;
    /** The log is written anew when it has more changes that do not matter any more than the state has in all, and than these. */
    private static final int MIN_CHANGES_BETWEEN_SNAPSHOTS = 2_000;

    private final HostedPartition hosted;
    private final GroupParts parts;
    private final CompletableFuture<Void> loaded;

    // Guarded by this.
    private final GroupState state;
    /** Completes when all that was appended is durable; fails if something is not. */
    private CompletableFuture<Void> durable = CompletableFuture.completedFuture(null);
    /** Completes when it is certain what became of all that was appended. */
    private CompletableFuture<Void> decided = CompletableFuture.completedFuture(null);

    private int changesInLog;
    private boolean rewriting;

    private volatile boolean broken;

    /** @param after when to begin to read the log */
    GroupPartition(HostedPartition hosted, GroupParts parts, CompletableFuture<Void> after) {
        this.hosted = hosted;
        this.parts = parts;
        this.state =
                new GroupState(parts.config().lease().toNanos(), parts.config().maxSize());
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

    synchronized int groupCount() {
        return state.groupCount();
    }

    // --- Requests ---

    CompletableFuture<GroupAnswer> ask(GroupRequest request) {
        return loaded.isDone() && !loaded.isCompletedExceptionally()
                ? decide(request)
                : loaded.thenCompose(done -> decide(request));
    }

    private CompletableFuture<GroupAnswer> decide(GroupRequest request) {
        GroupState.Decision decision;
        CompletableFuture<Void> confirmed;
        synchronized (this) {
            // Another owner may have changed what this one remembers.
            hosted.requireEnd();
            long nowNanos = parts.clock().nanoTime();
            decision = state.decide(request, nowNanos);
            append(decision.records(), nowNanos);
            confirmed = durable;
        }
        rewriteIfLong();
        GroupAnswer answer = decision.answer();
        return confirmed.isDone() && !confirmed.isCompletedExceptionally()
                ? CompletableFuture.completedFuture(answer)
                : confirmed.thenApply(done -> answer);
    }

    /** Makes changes, and records them. Guarded by this. */
    private void append(List<GroupRecord> records, long nowNanos) {
        if (!records.isEmpty()) {
            store(records);
            records.forEach(record -> state.apply(record, nowNanos));
        }
    }

    /** Records changes. Guarded by this. */
    private CompletableFuture<AppendResult> store(List<GroupRecord> records) {
        CompletableFuture<AppendResult> outcome = hosted.log()
                .append(
                        new MessageBatch(GroupRecordCodec.encode(records)),
                        null,
                        parts.durability(),
                        Deadline.after(parts.clock(), APPEND_TIME))
                .outcome();
        records.forEach(record -> changesInLog += record.changes().size());
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
            log.info("Read {} records of {} consumer groups from {}", records, groupCount(), hosted.partition());
        }
        return null;
    }

    private int load(StoredBlock block) {
        try {
            List<GroupRecord> records = GroupRecordCodec.decode(block.block().data());
            synchronized (this) {
                for (GroupRecord record : records) {
                    state.apply(record, parts.clock().nanoTime());
                    changesInLog += record.changes().size();
                }
            }
            return records.size();
        } catch (IOException e) {
            throw new GatewayException(
                    ErrorCode.STORAGE_CORRUPT,
                    "The message at offset %d of partition %s holds no state of consumer groups that this gateway can read: %s."
                            .formatted(block.startOffset(), hosted.partition(), e.getMessage()),
                    e);
        }
    }

    private void rewriteIfLong() {
        synchronized (this) {
            boolean isLong = changesInLog - state.size() > Math.max(MIN_CHANGES_BETWEEN_SNAPSHOTS, state.size());
            if (!isLong || rewriting || broken) {
                return;
            }
            rewriting = true;
        }
        onPool(this::forgetDeletedTopics)
                .thenCompose(done -> writeSnapshot())
                .thenCompose(written -> parts.trim().apply(hosted, written.firstOffset()))
                .whenComplete((done, failure) -> {
                    if (failure != null && !isGone()) {
                        log.warn(
                                "Shortening the log of consumer groups {} failed, trying again later: {}",
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
            List<GroupRecord> all = state.asRecords();
            if (all.isEmpty()) {
                // Something has to be kept, or there would be no offset to delete up to.
                all = List.of(new GroupRecord("", new TopicId(0, 0), List.of(new Change.Forgotten())));
            }
            changesInLog = 0;
            return store(all);
        }
    }

    private Void forgetDeletedTopics() {
        Set<TopicId> topics;
        synchronized (this) {
            topics = state.topics();
        }
        Set<TopicId> deleted = parts.deleted().apply(topics);
        synchronized (this) {
            append(state.forgetting(deleted), parts.clock().nanoTime());
        }
        return null;
    }

    private CompletableFuture<Void> onPool(Callable<Void> work) {
        try {
            return parts.pool().submit(hosted.partition(), Priority.CONTROL, Deadline.NONE, work);
        } catch (TaskRejectedException e) {
            return CompletableFuture.failedFuture(Refusals.of(e));
        }
    }
}
