package io.talosgateway.rest.peer;

import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.talosgateway.rest.fetch.FetchRequest;
import io.talosgateway.rest.fetch.FetchResult;
import io.talosgateway.rest.produce.PutRequest;
import io.talosgateway.rest.produce.PutResult;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.rest.topicadmin.PartitionStatuses;
import io.talosgateway.scheduler.Deadline;

/**
 * The partitions that this host serves itself; never those that it would hand on. Methods do not block, and may throw what
 * they could complete their future with.
 */
public interface LocalPartitions {

    CompletableFuture<PutResult> put(PutRequest request);

    CompletableFuture<FetchResult> fetch(FetchRequest request);

    /** What the partitions are like; those that this host does not serve are left out. */
    PartitionStatuses find(List<TopicPartition> partitions);

    /** @param timeMs epoch milliseconds */
    CompletableFuture<Long> offsetAt(TopicPartition partition, long timeMs, Deadline deadline);

    CompletableFuture<Void> deleteOldest(TopicPartition partition, long firstOffset, long lastOffset);
}
