package io.talosgateway.rest.transaction;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import io.talosgateway.rest.admission.TimedAnswers;
import io.talosgateway.rest.coordination.TopicRegistry;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.hosting.HostedPartition;
import io.talosgateway.rest.hosting.HostedPartitions;
import io.talosgateway.rest.partition.PartitionService;
import io.talosgateway.rest.partition.TransactionAnswer;
import io.talosgateway.rest.partition.TransactionRequest;
import io.talosgateway.rest.statelog.Decider.Decision;
import io.talosgateway.rest.statelog.StateLogKind;
import io.talosgateway.rest.statelog.StateLogParts;
import io.talosgateway.rest.statelog.StateLogs;
import io.talosgateway.rest.topic.TopicMetadata;
import io.talosgateway.rest.topic.TopicName;
import io.talosgateway.scheduler.Deadline;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The transactions that are held by partitions which this host owns. Safe for use by any thread; does not block. */
public final class TransactionCoordinator {

    private static final Logger log = LoggerFactory.getLogger(TransactionCoordinator.class);

    /** What an answer between hosts has room for, beside a block of any size. */
    private static final long MAX_TOLD_BYTES = 4 << 20;

    private static final int MAX_TOLD = 1_000;

    private final StateLogs<TransactionState, TransactionRecord> logs;
    private final Deliveries deliveries;
    private final HostedPartitions hosting;
    private final TopicRegistry topics;
    private final Supplier<PartitionService> partitions;
    private final TimedAnswers answers;

    /** @param partitions of all hosts; asked for when the first block is committed */
    public TransactionCoordinator(
            TransactionConfig config,
            StateLogParts parts,
            HostedPartitions hosting,
            TopicRegistry topics,
            Supplier<PartitionService> partitions,
            TimedAnswers answers) {
        this.logs = new StateLogs<>(
                new StateLogKind<>(
                        "transactions",
                        () -> new TransactionState(config),
                        new TransactionRecordCodec(),
                        TransactionCoordinator::unconfirmed,
                        config.minSuperseded().toBytes()),
                parts);
        this.deliveries = new Deliveries(logs, topics, partitions, parts.clock());
        this.hosting = hosting;
        this.topics = topics;
        this.partitions = partitions;
        this.answers = answers;
    }

    private static GatewayException unconfirmed(Throwable failure) {
        return new GatewayException(
                ErrorCode.OUTCOME_UNKNOWN,
                "The storage has not confirmed what becomes of the transaction: "
                        + GatewayException.in(failure)
                                .map(GatewayException::detail)
                                .orElse("an unexpected failure.") + " Asking again is safe.",
                failure);
    }

    /** Transactions that have not ended, of those that this host holds. */
    public int open() {
        return logs.count(TransactionState::openCount);
    }

    /** Bytes of their blocks. */
    public long openBytes() {
        return logs.count(TransactionState::openBytes);
    }

    /** Those of them that are committed, and whose blocks are not stored yet. */
    public int undelivered() {
        return logs.count(TransactionState::decidedCount);
    }

    /**
     * Asks the transactions of a partition.
     *
     * @param coordinator holds them
     * @return as {@link PartitionService#askTransaction}
     */
    public CompletableFuture<TransactionAnswer> ask(
            HostedPartition coordinator, TransactionRequest request, Deadline deadline) {
        CompletableFuture<TransactionAnswer> answer = switch (request.operation()) {
            case PREPARE ->
                logs.ask(
                        coordinator,
                        (state, nowNanos) ->
                                state.prepare(request.partition(), Objects.requireNonNull(request.block())));
            case COMMIT -> commit(coordinator, request, deadline);
            case ROLLBACK ->
                logs.ask(coordinator, (state, nowNanos) -> state.rollback(request.partition(), request.id()));
            case UNDECIDED ->
                logs.ask(
                        coordinator,
                        (state, nowNanos) -> state.undecided(request.partition(), MAX_TOLD, MAX_TOLD_BYTES));
        };
        return answers.within(
                deadline,
                answer,
                ErrorCode.OUTCOME_UNKNOWN,
                "The time for the request ran out before it was certain what becomes of the transaction. Asking again is safe.");
    }

    private CompletableFuture<TransactionAnswer> commit(
            HostedPartition coordinator, TransactionRequest request, Deadline deadline) {
        return logs.ask(
                        coordinator,
                        (state, nowNanos) -> new Decision<TransactionRecord, TransactionState.Stage>(
                                state.stageForCommit(request.partition(), request.id()), List.of()))
                .thenCompose(stage -> stage == TransactionState.Stage.OPEN
                        ? decide(coordinator, request, deadline)
                        : CompletableFuture.completedFuture(after(stage)))
                .thenCompose(next -> switch (next) {
                    case NOTHING -> CompletableFuture.<Void>completedFuture(null);
                    case DELIVER -> deliveries.deliver(coordinator, request.id(), true);
                    case DELIVER_AGAIN -> deliveries.deliver(coordinator, request.id(), false);
                })
                .thenApply(done -> TransactionAnswer.of(request.id()));
    }

    /** What is to be done for a commit. */
    private enum Next {
        NOTHING,
        DELIVER,
        DELIVER_AGAIN
    }

    private static Next after(TransactionState.Stage stage) {
        return stage == TransactionState.Stage.COMMITTED ? Next.NOTHING : Next.DELIVER_AGAIN;
    }

    /** A partition that nobody serves is told so before anything is decided. */
    private CompletableFuture<Next> decide(HostedPartition coordinator, TransactionRequest request, Deadline deadline) {
        return partitions
                .get()
                .describe(request.partition(), deadline)
                .thenCompose(status -> logs.ask(
                        coordinator,
                        (state, nowNanos) -> state.commit(request.partition(), request.id(), status.logEndOffset())))
                .thenApply(before -> before == TransactionState.Stage.OPEN ? Next.DELIVER : after(before));
    }

    /**
     * Rolls back what is open for too long, and goes on with what is decided and not stored, of all partitions that this host owns.
     * To be called from time to time.
     */
    public void sweep() {
        TopicMetadata topic = topics.find(TopicName.TRANSACTIONS);
        if (topic != null) {
            topic.allPartitions().forEach(partition -> {
                HostedPartition hosted = hosting.find(partition);
                if (hosted != null) {
                    sweep(hosted);
                }
            });
        }
    }

    private void sweep(HostedPartition coordinator) {
        logs.ask(coordinator, (state, nowNanos) -> state.timeOut(nowNanos)).whenComplete((decided, failure) -> {
            if (failure == null) {
                deliveries.goOn(coordinator, decided);
            } else {
                log.debug("The transactions of {} are looked at later", coordinator.partition(), failure);
            }
        });
    }
}
