package io.talosgateway.rest.journal.lane;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;

import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.message.MessageBatch;
import io.talosgateway.rest.message.PutIdentity;
import io.talosgateway.rest.topic.Durability;
import io.talosgateway.scheduler.Deadline;
import org.jspecify.annotations.Nullable;

/**
 * A put on its way through a lane. It waits; then it is being written, from when on nobody but the lane decides its fate;
 * then it is stored or not. Safe for use by any thread.
 */
public final class Append {

    private enum State {
        WAITING,
        WRITING,
        WITHDRAWN
    }

    private final LanePartition partition;
    private final MessageBatch batch;
    private final @Nullable PutIdentity identity;
    private final Durability durability;
    private final Deadline deadline;
    private final long queuedAtNanos;
    private final CompletableFuture<AppendResult> outcome = new CompletableFuture<>();
    private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);

    // Of the lane's committer.
    long firstOffset;
    long appendTimestampMs;
    int position;
    long writingAtNanos;
    long writtenAtNanos;
    long durableAtNanos;

    public Append(
            LanePartition partition,
            MessageBatch batch,
            @Nullable PutIdentity identity,
            Durability durability,
            Deadline deadline,
            long queuedAtNanos) {
        this.partition = partition;
        this.batch = batch;
        this.identity = identity;
        this.durability = durability;
        this.deadline = deadline;
        this.queuedAtNanos = queuedAtNanos;
    }

    /**
     * What became of it, once that is certain: a result, or a {@link GatewayException} when nothing is stored. May take
     * longer than any deadline. Completed by the executor for completions.
     */
    public CompletableFuture<AppendResult> outcome() {
        return outcome;
    }

    /** Offset of its first message, once its lane has given it. Of the lane's committer. */
    public long firstOffset() {
        return firstOffset;
    }

    /** Epoch milliseconds, once its lane has given it. Of the lane's committer. */
    public long appendTimestampMs() {
        return appendTimestampMs;
    }

    /** Gives it its place. Of the lane's committer. */
    public void assign(long offset, long timestampMs) {
        firstOffset = offset;
        appendTimestampMs = timestampMs;
    }

    /** When its lane began to write its group, by the journal's clock; valid once the outcome is a result. */
    public long writingAtNanos() {
        return writingAtNanos;
    }

    /** When its group was written, by the journal's clock; valid once the outcome is a result. */
    public long writtenAtNanos() {
        return writtenAtNanos;
    }

    /** When it was durable, by the journal's clock; valid once the outcome is a result. */
    public long durableAtNanos() {
        return durableAtNanos;
    }

    /**
     * Takes it back while it waits. Then the outcome is a {@link ErrorCode#DEADLINE_EXCEEDED} and nothing is stored.
     *
     * @return false if it is being written, or its outcome is certain
     */
    public boolean withdraw() {
        if (!state.compareAndSet(State.WAITING, State.WITHDRAWN)) {
            return false;
        }
        outcome.completeExceptionally(new GatewayException(
                ErrorCode.DEADLINE_EXCEEDED,
                "The time for the request ran out while the messages waited for the storage; nothing was stored."));
        return true;
    }

    /** Called by the lane before writing; false if it was withdrawn. */
    boolean startWriting() {
        return state.get() == State.WRITING || state.compareAndSet(State.WAITING, State.WRITING);
    }

    void succeed(Durability reached) {
        if (outcome.complete(new AppendResult(firstOffset, batch.messageCount(), appendTimestampMs, reached))) {
            batch.recycle();
        }
    }

    void fail(GatewayException reason) {
        outcome.completeExceptionally(reason);
    }

    LanePartition partition() {
        return partition;
    }

    public MessageBatch batch() {
        return batch;
    }

    @Nullable
    PutIdentity identity() {
        return identity;
    }

    Durability durability() {
        return durability;
    }

    Deadline deadline() {
        return deadline;
    }

    long queuedAtNanos() {
        return queuedAtNanos;
    }
}
