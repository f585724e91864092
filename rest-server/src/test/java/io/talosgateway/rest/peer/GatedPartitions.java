package io.talosgateway.rest.peer;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import io.talosgateway.rest.partition.FencingTokenChange;
import io.talosgateway.rest.partition.FetchRequest;
import io.talosgateway.rest.partition.FetchResult;
import io.talosgateway.rest.partition.GroupAnswer;
import io.talosgateway.rest.partition.GroupEntry;
import io.talosgateway.rest.partition.GroupRequest;
import io.talosgateway.rest.partition.PartitionService;
import io.talosgateway.rest.partition.PartitionStatus;
import io.talosgateway.rest.partition.PartitionStatuses;
import io.talosgateway.rest.partition.PutRequest;
import io.talosgateway.rest.partition.PutResult;
import io.talosgateway.rest.partition.TransactionAnswer;
import io.talosgateway.rest.partition.TransactionRequest;
import io.talosgateway.rest.topic.Durability;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.scheduler.Deadline;
import io.talosgateway.wire.message.MessageBlock;

/** Partitions that show what is asked of them and answer what the test says. */
final class GatedPartitions implements PartitionService {

    /** What was asked, in the order of arrival. */
    final BlockingQueue<PutRequest> puts = new LinkedBlockingQueue<>();

    final BlockingQueue<FetchRequest> fetches = new LinkedBlockingQueue<>();
    final BlockingQueue<String> others = new LinkedBlockingQueue<>();

    volatile Function<PutRequest, CompletableFuture<PutResult>> onPut =
            request -> CompletableFuture.completedFuture(stored(request));
    volatile Function<FetchRequest, CompletableFuture<FetchResult>> onFetch = request -> new CompletableFuture<>();
    volatile Function<Collection<TopicPartition>, PartitionStatuses> onFind =
            partitions -> new PartitionStatuses(List.of(), false);
    volatile Function<Long, CompletableFuture<Long>> onOffsetAt = CompletableFuture::completedFuture;
    volatile CompletableFuture<Void> onDelete = CompletableFuture.completedFuture(null);
    volatile CompletableFuture<Void> onFence = CompletableFuture.completedFuture(null);

    static PutResult stored(PutRequest request) {
        return new PutResult(
                request.partition().partition(),
                request.batch().blocks().get(0).createTimestampMs(),
                request.batch().messageCount(),
                5,
                Durability.DISK,
                false,
                true);
    }

    /** Waits until a put has arrived. */
    PutRequest nextPut() throws InterruptedException {
        return next(puts);
    }

    FetchRequest nextFetch() throws InterruptedException {
        return next(fetches);
    }

    private static <T> T next(BlockingQueue<T> queue) throws InterruptedException {
        T next = queue.poll(120, TimeUnit.SECONDS);
        if (next == null) {
            throw new AssertionError("nothing arrived");
        }
        return next;
    }

    @Override
    public CompletableFuture<PutResult> put(PutRequest request) {
        puts.add(request);
        return onPut.apply(request);
    }

    @Override
    public CompletableFuture<FetchResult> fetch(FetchRequest request) {
        fetches.add(request);
        return onFetch.apply(request);
    }

    @Override
    public CompletableFuture<PartitionStatuses> describe(Collection<TopicPartition> partitions, Deadline deadline) {
        return CompletableFuture.completedFuture(onFind.apply(partitions));
    }

    @Override
    public CompletableFuture<PartitionStatus> describe(TopicPartition partition, Deadline deadline) {
        throw new UnsupportedOperationException("hosts ask for lists");
    }

    @Override
    public CompletableFuture<Long> offsetAt(TopicPartition partition, long timeMs, Deadline deadline) {
        others.add("offset of " + partition + " at " + timeMs);
        return onOffsetAt.apply(timeMs);
    }

    @Override
    public CompletableFuture<Void> trim(
            TopicPartition partition, long firstOffset, long lastOffset, Deadline deadline) {
        others.add("trim " + partition + " " + firstOffset + "-" + lastOffset);
        return onDelete;
    }

    @Override
    public CompletableFuture<Void> changeFencingToken(FencingTokenChange change, Deadline deadline) {
        others.add("fencing token " + change);
        return onFence;
    }

    @Override
    public CompletableFuture<TransactionAnswer> askTransaction(
            TopicPartition coordinator, TransactionRequest request, Deadline deadline) {
        others.add(coordinator + " " + request);
        MessageBlock block = request.block();
        return CompletableFuture.completedFuture(new TransactionAnswer(
                7, block == null ? List.of() : List.of(new TransactionAnswer.Prepared(7, block)), block == null));
    }

    @Override
    public CompletableFuture<GroupAnswer> askGroup(
            TopicPartition coordinator, GroupRequest request, Deadline deadline) {
        others.add(coordinator + " " + request);
        return CompletableFuture.completedFuture(new GroupAnswer(
                true,
                List.of(new GroupEntry(request.group(), coordinator.topic(), 3, request.worker(), request.offset()))));
    }
}
