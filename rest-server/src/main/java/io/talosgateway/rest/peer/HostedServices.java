package io.talosgateway.rest.peer;

import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.talosgateway.rest.fetch.FetchRequest;
import io.talosgateway.rest.fetch.FetchResult;
import io.talosgateway.rest.fetch.FetchService;
import io.talosgateway.rest.produce.ProduceService;
import io.talosgateway.rest.produce.PutRequest;
import io.talosgateway.rest.produce.PutResult;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.rest.topicadmin.PartitionAdminService;
import io.talosgateway.rest.topicadmin.PartitionStatuses;
import io.talosgateway.scheduler.Deadline;

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
    public PartitionStatuses find(List<TopicPartition> asked) {
        return partitions.find(asked);
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
