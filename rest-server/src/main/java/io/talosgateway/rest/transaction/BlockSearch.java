package io.talosgateway.rest.transaction;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.partition.FetchFrom;
import io.talosgateway.rest.partition.FetchRequest;
import io.talosgateway.rest.partition.PartitionService;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.scheduler.Deadline;
import io.talosgateway.scheduler.NanoClock;
import io.talosgateway.scheduler.Priority;
import io.talosgateway.wire.message.MessageBlock;

/** Looks for a block among the stored messages of a partition, page by page. Stateless. */
record BlockSearch(PartitionService partitions, NanoClock clock) {

    private static final int PAGE_MESSAGES = 10_000;
    private static final int PAGE_BYTES = 4 << 20;
    private static final Duration PAGE_TIME = Duration.ofSeconds(20);

    /**
     * Whether there is such a block.
     *
     * @param from offset that is kept
     * @param end offset at which the search ends
     */
    CompletableFuture<Boolean> find(TopicPartition partition, Predicate<MessageBlock> wanted, long from, long end) {
        if (from >= end) {
            return CompletableFuture.completedFuture(false);
        }
        FetchRequest page = new FetchRequest(
                partition,
                new FetchFrom.Offset(from),
                PAGE_MESSAGES,
                PAGE_BYTES,
                Duration.ZERO,
                Priority.Importance.NORMAL,
                Deadline.after(clock, PAGE_TIME),
                null);
        return partitions.fetch(page).thenCompose(found -> {
            if (found.blocks().stream().anyMatch(stored -> wanted.test(stored.block()))) {
                return CompletableFuture.completedFuture(true);
            }
            if (found.nextOffset() <= from) {
                return CompletableFuture.failedFuture(new GatewayException(
                        ErrorCode.STORAGE_UNAVAILABLE,
                        "Partition %d of the topic gives no message at offset %d."
                                .formatted(partition.partition(), from)));
            }
            return find(partition, wanted, found.nextOffset(), end);
        });
    }
}
