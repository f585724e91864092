package io.talosgateway.rest.partition;

import java.util.Collection;
import java.util.concurrent.CompletableFuture;

import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.scheduler.Deadline;

/**
 * What can be done with partitions, wherever they are served. Safe for use by any thread; does not block, does not throw. Futures
 * are completed once, at the deadline at the latest, with a result or a {@link io.talosgateway.rest.errors.GatewayException}. One of
 * {@code PARTITION_NOT_SERVING}, {@code PARTITION_MOVING} or {@code STARTING} means that nothing was done.
 */
public interface PartitionService {

    /**
     * Stores the messages of a put at consecutive offsets, all or none. One that expects an offset is stored at that offset, or
     * fails with {@code UNEXPECTED_OFFSET} and the end of the partition. One with a fencing token is stored while the partition has
     * this token, or fails with {@code FENCED} and the token that it has.
     *
     * @return completed when the messages are durable, or with an error: one of class {@code OUTCOME_UNKNOWN} or {@code SAME_KEY} if
     *     they may be stored, any other if nothing is
     */
    CompletableFuture<PutResult> put(PutRequest request);

    /** Gets messages from where the request begins. At the end of the partition, it waits for as long as the request says. */
    CompletableFuture<FetchResult> fetch(FetchRequest request);

    /**
     * Offset of the first message appended at or after a time; the log end offset if there is none.
     *
     * @param timeMs epoch milliseconds
     */
    CompletableFuture<Long> offsetAt(TopicPartition partition, long timeMs, Deadline deadline);

    /**
     * Deletes the messages from {@code firstOffset} to {@code lastOffset}, both included. Offsets have no gaps, so that only
     * the oldest messages can go. Without an answer they may or may not be deleted; asking again is safe.
     *
     * @return completed when the messages cannot be read any more, also not after a restart; {@code INVALID_OFFSET} if older
     *     messages would stay, or there is no such offset
     */
    CompletableFuture<Void> trim(TopicPartition partition, long firstOffset, long lastOffset, Deadline deadline);

    /**
     * Changes the fencing token of a partition. Without an answer it may or may not be changed; asking again is safe.
     *
     * @return completed when all hosts refuse puts with the former token, and none of those is stored any more; {@code FENCED} if the
     *     partition has another token than is to be replaced
     */
    CompletableFuture<Void> changeFencingToken(FencingTokenChange change, Deadline deadline);

    /** What a partition is like. */
    CompletableFuture<PartitionStatus> describe(TopicPartition partition, Deadline deadline);

    /** What partitions are like; those that are not served, or of which nobody can tell where they end, are left out. */
    CompletableFuture<PartitionStatuses> describe(Collection<TopicPartition> partitions, Deadline deadline);

    /**
     * Asks a consumer group.
     *
     * @param coordinator the partition that holds the group, of the topic for consumer groups
     * @return completed when a change is durable
     */
    CompletableFuture<GroupAnswer> askGroup(TopicPartition coordinator, GroupRequest request, Deadline deadline);

    /**
     * Asks the transactions of a partition.
     *
     * @param coordinator the partition that holds them, of the topic for transactions
     * @return completed when a change is durable and, for a commit, the messages are stored; or with an error: {@code
     *     OUTCOME_UNKNOWN} if the change may be made, any other if it is not
     */
    CompletableFuture<TransactionAnswer> askTransaction(
            TopicPartition coordinator, TransactionRequest request, Deadline deadline);
}
