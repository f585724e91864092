package io.talosgateway.rest.forwarding.thrift;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.forwarding.Peer;
import io.talosgateway.rest.hostprotocol.Budget;
import io.talosgateway.rest.hostprotocol.FetchCodec;
import io.talosgateway.rest.hostprotocol.GroupCodec;
import io.talosgateway.rest.hostprotocol.PartitionsCodec;
import io.talosgateway.rest.hostprotocol.PutCodec;
import io.talosgateway.rest.hostprotocol.QuotaCodec;
import io.talosgateway.rest.hostprotocol.TransactionCodec;
import io.talosgateway.rest.partition.FencingTokenChange;
import io.talosgateway.rest.partition.FetchRequest;
import io.talosgateway.rest.partition.FetchResult;
import io.talosgateway.rest.partition.GroupAnswer;
import io.talosgateway.rest.partition.GroupRequest;
import io.talosgateway.rest.partition.PartitionService;
import io.talosgateway.rest.partition.PartitionStatus;
import io.talosgateway.rest.partition.PartitionStatuses;
import io.talosgateway.rest.partition.PutCondition;
import io.talosgateway.rest.partition.PutRequest;
import io.talosgateway.rest.partition.PutResult;
import io.talosgateway.rest.partition.TransactionAnswer;
import io.talosgateway.rest.partition.TransactionRequest;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.rest.topic.UsedQuota;
import io.talosgateway.rest.trace.RequestTrace;
import io.talosgateway.rest.trace.TraceContext;
import io.talosgateway.scheduler.Deadline;
import io.talosgateway.thrift.call.ThriftEnvelope;
import io.talosgateway.wire.message.MessageBlock;
import org.jspecify.annotations.Nullable;

/**
 * The partitions that one incarnation of another host serves: a link for calls that are answered soon, and one for gets that
 * wait for messages, which would take the connections from the others.
 */
final class RemoteHost implements PartitionService {

    private static final Duration TELL_WITHIN = Duration.ofSeconds(1);

    private final LinkParts parts;
    private final Peer peer;
    private final HostLink calls;
    private final HostLink waits;
    private final int maxWaiting;
    private final AtomicInteger waiting = new AtomicInteger();
    private final ForwardMetrics.ForHost metrics;

    RemoteHost(LinkParts parts, Peer peer, ForwardMetrics.ForHost metrics) {
        this.parts = parts;
        this.peer = peer;
        this.metrics = metrics;
        this.maxWaiting = parts.config().maxWaitingGets();
        this.calls = new HostLink(parts, peer, parts.config().maxConnections(), metrics);
        this.waits = new HostLink(parts, peer, Math.max(1, maxWaiting), metrics);
        metrics.watch(this);
    }

    Peer peer() {
        return peer;
    }

    @Override
    public CompletableFuture<PutResult> put(PutRequest request) {
        TraceContext told = RequestTrace.forward(request.trace(), peer.host());
        int partition = request.partition().partition();
        return ask(
                calls,
                new Call.Question<>(
                        request.condition().equals(PutCondition.NONE) ? CallKind.PUT : CallKind.CONDITIONAL_PUT,
                        bounded(request.deadline()),
                        request.batch().bytes(),
                        (out, budgetMs) -> PutCodec.writeRequest(out, request, told, budgetMs),
                        in -> PutCodec.readResult(in, partition),
                        request.idempotencyKey() != null),
                () -> RequestTrace.returned(request.trace()));
    }

    @Override
    public CompletableFuture<FetchResult> fetch(FetchRequest request) {
        TraceContext told = RequestTrace.forward(request.trace(), peer.host());
        if (!request.maxWait().isZero() && reserveWait()) {
            return ask(waits, get(request, request.maxWait(), told), () -> {
                waiting.decrementAndGet();
                RequestTrace.returned(request.trace());
            });
        }
        return ask(calls, get(request, Duration.ZERO, told), () -> RequestTrace.returned(request.trace()));
    }

    /** Takes one of the places for gets that wait; false if there is none. */
    private boolean reserveWait() {
        if (waiting.incrementAndGet() > maxWaiting) {
            waiting.decrementAndGet();
            return false;
        }
        return true;
    }

    private Call.Question<FetchResult> get(FetchRequest request, Duration maxWait, @Nullable TraceContext told) {
        return question(
                CallKind.GET,
                request.deadline(),
                (out, budgetMs) -> FetchCodec.writeRequest(out, request, maxWait, told, budgetMs),
                FetchCodec::readResult);
    }

    @Override
    public CompletableFuture<Long> offsetAt(TopicPartition partition, long timeMs, Deadline deadline) {
        return ask(question(
                CallKind.OFFSET_AT,
                deadline,
                (out, budgetMs) -> PartitionsCodec.writeOffsetAt(out, partition, timeMs, budgetMs),
                PartitionsCodec::readOffset));
    }

    @Override
    public CompletableFuture<Void> trim(
            TopicPartition partition, long firstOffset, long lastOffset, Deadline deadline) {
        return ask(question(
                CallKind.TRIM,
                deadline,
                (out, budgetMs) -> PartitionsCodec.writeTrim(out, partition, firstOffset, lastOffset),
                null));
    }

    @Override
    public CompletableFuture<Void> changeFencingToken(FencingTokenChange change, Deadline deadline) {
        return ask(question(
                CallKind.FENCING_TOKEN,
                deadline,
                (out, budgetMs) -> PartitionsCodec.writeFencingToken(out, change, budgetMs),
                null));
    }

    @Override
    public CompletableFuture<PartitionStatus> describe(TopicPartition partition, Deadline deadline) {
        return describe(List.of(partition), deadline).thenApply(found -> {
            if (found.statuses().isEmpty()) {
                throw new GatewayException(
                        found.othersMove() ? ErrorCode.PARTITION_MOVING : ErrorCode.PARTITION_NOT_SERVING,
                        "Host " + peer.host() + " does not serve partition " + partition.partition()
                                + " of the topic right now; try again shortly.");
            }
            return found.statuses().get(0);
        });
    }

    @Override
    public CompletableFuture<PartitionStatuses> describe(Collection<TopicPartition> partitions, Deadline deadline) {
        return ask(question(
                CallKind.DESCRIBE,
                deadline,
                (out, budgetMs) -> PartitionsCodec.writeDescribe(out, partitions),
                PartitionsCodec::readStatuses));
    }

    @Override
    public CompletableFuture<GroupAnswer> askGroup(
            TopicPartition coordinator, GroupRequest request, Deadline deadline) {
        return ask(question(
                CallKind.GROUP,
                deadline,
                (out, budgetMs) -> GroupCodec.writeRequest(out, coordinator, request, budgetMs),
                GroupCodec::readAnswer));
    }

    @Override
    public CompletableFuture<TransactionAnswer> askTransaction(
            TopicPartition coordinator, TransactionRequest request, Deadline deadline) {
        MessageBlock block = request.block();
        return ask(new Call.Question<>(
                CallKind.TRANSACTION,
                bounded(deadline),
                block == null ? 0 : block.bytes(),
                (out, budgetMs) -> TransactionCodec.writeRequest(out, coordinator, request, budgetMs),
                TransactionCodec::readAnswer,
                false));
    }

    CompletableFuture<Void> tell(List<UsedQuota> used) {
        return ask(question(
                CallKind.QUOTAS,
                Deadline.after(parts.clock(), TELL_WITHIN),
                (out, budgetMs) -> QuotaCodec.write(out, used),
                null));
    }

    private <R> Call.Question<R> question(
            CallKind kind,
            Deadline deadline,
            Call.ArgumentWriter writer,
            ThriftEnvelope.@Nullable StructReader<R> reader) {
        return new Call.Question<>(kind, bounded(deadline), 0, writer, reader, false);
    }

    private Deadline bounded(Deadline deadline) {
        return deadline.isSet() ? deadline : Deadline.after(parts.clock(), Budget.DEFAULT);
    }

    private <R> CompletableFuture<R> ask(Call.Question<R> question) {
        return ask(calls, question, () -> {});
    }

    private <R> CompletableFuture<R> ask(HostLink link, Call.Question<R> question, Runnable onEnd) {
        Call<R> call = new Call<>(question, parts.answers(), link::expired, failure -> {
            metrics.outcome(question.kind(), failure);
            onEnd.run();
        });
        CompletableFuture<R> answer = call.future();
        try {
            link.submit(call);
        } catch (GatewayException e) {
            answer.completeExceptionally(e);
        }
        return answer;
    }

    void close(String reason) {
        metrics.remove();
        calls.close(reason);
        waits.close(reason);
    }

    int queued() {
        return calls.queued() + waits.queued();
    }

    long queuedBytes() {
        return calls.queuedBytes() + waits.queuedBytes();
    }

    int inFlight() {
        return calls.inFlight() + waits.inFlight();
    }

    int openConnections() {
        return calls.openConnections() + waits.openConnections();
    }

    int backingOff() {
        return (calls.isBackingOff() ? 1 : 0) + (waits.isBackingOff() ? 1 : 0);
    }
}
