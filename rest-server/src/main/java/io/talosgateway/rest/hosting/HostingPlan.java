package io.talosgateway.rest.hosting;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.talosgateway.rest.placement.PlacementMap;
import io.talosgateway.rest.topic.TopicId;
import io.talosgateway.rest.topic.TopicMetadata;
import io.talosgateway.rest.topic.TopicPartition;

/**
 * What a host has to change, so that it serves what the placement gives it. A pure function.
 *
 * @param missing partitions to take over
 * @param surplus partitions to release to other hosts
 * @param deleted partitions whose topic is gone
 */
record HostingPlan(List<Missing> missing, List<HostedPartition> surplus, List<HostedPartition> deleted) {

    /** A partition that is to be served here. */
    record Missing(TopicMetadata topic, TopicPartition partition) {}

    /**
     * @param busy partitions that are being changed already; they are left alone
     */
    static HostingPlan of(
            String host,
            PlacementMap placement,
            Collection<TopicMetadata> topics,
            Collection<HostedPartition> hosted,
            Set<TopicPartition> busy) {
        Set<TopicPartition> wanted = new HashSet<>();
        Set<TopicPartition> known = new HashSet<>();
        hosted.forEach(partition -> known.add(partition.partition()));
        List<Missing> missing = new ArrayList<>();
        Set<TopicId> topicIds = new HashSet<>();
        for (TopicMetadata topic : topics) {
            topicIds.add(topic.id());
            placement.partitionsOf(host, topic).forEach(number -> {
                TopicPartition partition = topic.partition(number);
                wanted.add(partition);
                if (!known.contains(partition) && !busy.contains(partition)) {
                    missing.add(new Missing(topic, partition));
                }
            });
        }
        List<HostedPartition> surplus = new ArrayList<>();
        List<HostedPartition> deleted = new ArrayList<>();
        for (HostedPartition partition : hosted) {
            if (busy.contains(partition.partition())) {
                continue;
            }
            if (!topicIds.contains(partition.partition().topic())) {
                deleted.add(partition);
            } else if (!wanted.contains(partition.partition()) || !partition.takesPuts()) {
                surplus.add(partition);
            }
        }
        return new HostingPlan(missing, surplus, deleted);
    }

    boolean isEmpty() {
        return missing.isEmpty() && surplus.isEmpty() && deleted.isEmpty();
    }
}
