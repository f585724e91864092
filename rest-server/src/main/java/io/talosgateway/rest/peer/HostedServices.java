package io.talosgateway.rest.peer;

import java.util.concurrent.CompletableFuture;

import io.talosgateway.rest.fetch.FetchRequest;
import io.talosgateway.rest.fetch.FetchResult;
import io.talosgateway.rest.fetch.FetchService;
import io.talosgateway.rest.produce.ProduceService;
import io.talosgateway.rest.produce.PutRequest;
import io.talosgateway.rest.produce.PutResult;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.rest.topicadmin.PartitionAdminService;
import io.talosgateway.rest.topicadmin.PartitionStatus;
import io.talosgateway.scheduler.Deadline;
import org.jspecify.annotations.Nullable;

/** The partitions that this host serves, through the services that know nothing of other hosts. */
public record HostedServices(ProduceService produce, FetchService fetches, PartitionAdminService partitions)
        implements LocalPartitions {

    @Override
    public CompletableFuture<PutResult> put(PutRequest request) {
        return produce.put(request);
    }

    @Override
    public CompletableFuture<FetchResult> fetch(FetchRequest request) {
        return fetches.fetch(request);
    }

    @Override
    public @Nullable PartitionStatus find(TopicPartition partition) {
        return partitions.find(partition);
    }

    @Override
    public CompletableFuture<Long> offsetAt(TopicPartition partition, long timeMs, Deadline deadline) {
        return fetches.offsetAt(partition, timeMs, deadline);
    }

    @Override
    public CompletableFuture<Void> deleteOldest(TopicPartition partition, long firstOffset, long lastOffset) {
        return partitions.deleteOldest(partition, firstOffset, lastOffset);
    }
}
