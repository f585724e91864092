package io.talosgateway.rest.hosting;

import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.talosgateway.rest.placement.CurrentPlacement;
import io.talosgateway.rest.topic.TopicMetadata;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.scheduler.NanoClock;

/** Waits until the partitions of a topic that was created or enlarged have owners, for some time at most. */
final class OwnerWait {

    private static final long POLL_MS = 20;

    private final HostedPartitions hosting;
    private final HostingConfig config;
    private final ClusterPorts cluster;
    private final CurrentPlacement placement;
    private final HostingThreads threads;
    private final NanoClock clock;

    OwnerWait(
            HostedPartitions hosting,
            HostingConfig config,
            ClusterPorts cluster,
            CurrentPlacement placement,
            HostingThreads threads,
            NanoClock clock) {
        this.hosting = hosting;
        this.config = config;
        this.cluster = cluster;
        this.placement = placement;
        this.threads = threads;
        this.clock = clock;
    }

    /** Completes when every partition has an owner, or when it took too long; never blocks. */
    CompletableFuture<Void> begin(TopicMetadata topic) {
        CompletableFuture<Void> owned = new CompletableFuture<>();
        look(topic, owned, clock.nanoTime());
        return owned;
    }

    private void look(TopicMetadata topic, CompletableFuture<Void> owned, long beganNanos) {
        threads.takeTime(() -> {
            try {
                boolean late =
                        clock.nanoTime() - beganNanos > config.ownerWait().toNanos();
                if (late || haveOwners(topic)) {
                    owned.complete(null);
                } else {
                    threads.changeLater(() -> look(topic, owned, beganNanos), POLL_MS);
                }
            } catch (RuntimeException e) {
                owned.completeExceptionally(e);
            }
        });
    }

    /** Whether those that this host gets are served, and the others have records. */
    private boolean haveOwners(TopicMetadata topic) {
        List<TopicPartition> others = topic.allPartitions()
                .filter(partition -> hosting.find(partition) == null)
                .toList();
        return others.stream()
                        .noneMatch(partition ->
                                config.hostName().equals(placement.map().ownerOf(topic, partition.partition())))
                && cluster.ownership().read(others).size() == others.size();
    }
}
