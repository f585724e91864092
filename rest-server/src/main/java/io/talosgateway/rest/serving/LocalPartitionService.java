package io.talosgateway.rest.serving;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

import io.talosgateway.rest.admission.TimedAnswers;
import io.talosgateway.rest.consumergroup.GroupCoordinator;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.fetch.FetchService;
import io.talosgateway.rest.hosting.HostedPartition;
import io.talosgateway.rest.hosting.HostedPartitions;
import io.talosgateway.rest.partition.FencingTokenChange;
import io.talosgateway.rest.partition.FetchRequest;
import io.talosgateway.rest.partition.FetchResult;
import io.talosgateway.rest.partition.GroupAnswer;
import io.talosgateway.rest.partition.GroupRequest;
import io.talosgateway.rest.partition.PartitionService;
import io.talosgateway.rest.partition.PartitionStatus;
import io.talosgateway.rest.partition.PartitionStatuses;
import io.talosgateway.rest.partition.PutRequest;
import io.talosgateway.rest.partition.PutResult;
import io.talosgateway.rest.partition.TransactionAnswer;
import io.talosgateway.rest.partition.TransactionRequest;
import io.talosgateway.rest.produce.ProduceService;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.rest.transaction.TransactionCoordinator;
import io.talosgateway.scheduler.Deadline;

/** The partitions that this host serves itself; never those that others serve. Knows nothing of other hosts. */
public final class LocalPartitionService implements PartitionService {

    private final HostedPartitions hosting;
    private final ProduceService produce;
    private final FetchService fetch;
    private final GroupCoordinator groups;
    private final TransactionCoordinator transactions;
    private final TimedAnswers answers;

    public LocalPartitionService(
            HostedPartitions hosting,
            ProduceService produce,
            FetchService fetch,
            GroupCoordinator groups,
            TransactionCoordinator transactions,
            TimedAnswers answers) {
        this.hosting = hosting;
        this.produce = produce;
        this.fetch = fetch;
        this.groups = groups;
        this.transactions = transactions;
        this.answers = answers;
    }

    @Override
    public CompletableFuture<PutResult> put(PutRequest request) {
        return with(request.partition(), hosted -> produce.put(hosted, request));
    }

    @Override
    public CompletableFuture<FetchResult> fetch(FetchRequest request) {
        return with(request.partition(), hosted -> fetch.fetch(hosted, request));
    }

    @Override
    public CompletableFuture<Long> offsetAt(TopicPartition partition, long timeMs, Deadline deadline) {
        return with(partition, hosted -> fetch.offsetAt(hosted, timeMs, deadline));
    }

    @Override
    public CompletableFuture<Void> trim(
            TopicPartition partition, long firstOffset, long lastOffset, Deadline deadline) {
        return with(partition, hosted -> trim(hosted, firstOffset, lastOffset));
    }

    private CompletableFuture<Void> trim(HostedPartition hosted, long firstOffset, long lastOffset) {
        hosted.requireEnd();
        long start = hosted.log().logStartOffset();
        long end = hosted.log().durableOffset();
        if (firstOffset > start || lastOffset >= end) {
            throw new GatewayException(
                    ErrorCode.INVALID_OFFSET,
                    "Only the oldest messages can be deleted: from offset %d or less, to offset %d or less."
                            .formatted(start, end - 1));
        }
        return hosting.trim(hosted, lastOffset + 1);
    }

    @Override
    public CompletableFuture<Void> changeFencingToken(FencingTokenChange change, Deadline deadline) {
        return with(
                change.partition(),
                hosted -> answers.within(
                        deadline,
                        hosting.changeFencingToken(hosted, change),
                        "The time for the request ran out before the fencing token was changed. Asking again is safe."));
    }

    @Override
    public CompletableFuture<PartitionStatus> describe(TopicPartition partition, Deadline deadline) {
        return with(partition, hosted -> CompletableFuture.completedFuture(status(hosted)));
    }

    @Override
    public CompletableFuture<PartitionStatuses> describe(Collection<TopicPartition> partitions, Deadline deadline) {
        List<PartitionStatus> statuses = new ArrayList<>();
        boolean othersMove = false;
        for (TopicPartition partition : partitions) {
            try {
                statuses.add(status(hosting.get(partition)));
            } catch (GatewayException e) {
                othersMove |= e.code() == ErrorCode.PARTITION_MOVING;
            }
        }
        return CompletableFuture.completedFuture(new PartitionStatuses(statuses, othersMove));
    }

    @Override
    public CompletableFuture<GroupAnswer> askGroup(
            TopicPartition coordinator, GroupRequest request, Deadline deadline) {
        return with(coordinator, hosted -> groups.ask(hosted, request, deadline));
    }

    @Override
    public CompletableFuture<TransactionAnswer> askTransaction(
            TopicPartition coordinator, TransactionRequest request, Deadline deadline) {
        return with(coordinator, hosted -> transactions.ask(hosted, request, deadline));
    }

    private PartitionStatus status(HostedPartition hosted) {
        hosted.requireEnd();
        long start = hosted.log().logStartOffset();
        long end = hosted.log().durableOffset();
        return new PartitionStatus(
                hosted.partition(),
                hosting.endpoint(),
                start,
                end,
                start == end ? 0 : hosted.log().storedBytes(),
                hosted.log().totalBytes(),
                hosted.fencingToken().current());
    }

    /** Does something with a partition that this host serves. */
    private <T> CompletableFuture<T> with(
            TopicPartition partition, Function<HostedPartition, CompletableFuture<T>> request) {
        try {
            return request.apply(hosting.get(partition));
        } catch (GatewayException e) {
            return CompletableFuture.failedFuture(e);
        }
    }
}
