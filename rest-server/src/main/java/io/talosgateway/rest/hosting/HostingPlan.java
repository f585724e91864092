package io.talosgateway.rest.hosting;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
            Map<TopicPartition, HostedPartition> hosted,
            Set<TopicPartition> busy) {
        List<Missing> missing = new ArrayList<>();
        Map<TopicId, TopicMetadata> byId = new HashMap<>();
        for (TopicMetadata topic : topics) {
            byId.put(topic.id(), topic);
            placement.partitionsOf(host, topic).forEach(number -> {
                TopicPartition partition = topic.partition(number);
                if (!hosted.containsKey(partition) && !busy.contains(partition)) {
                    missing.add(new Missing(topic, partition));
                }
            });
        }
        placement.forgetAllBut(byId);
        List<HostedPartition> surplus = new ArrayList<>();
        List<HostedPartition> deleted = new ArrayList<>();
        for (HostedPartition partition : hosted.values()) {
            if (busy.contains(partition.partition())) {
                continue;
            }
            TopicMetadata topic = byId.get(partition.partition().topic());
            if (topic == null) {
                deleted.add(partition);
            } else if (!isPlacedAt(host, placement, topic, partition.partition()) || !partition.takesPuts()) {
                surplus.add(partition);
            }
        }
        return new HostingPlan(missing, surplus, deleted);
    }

    private static boolean isPlacedAt(
            String host, PlacementMap placement, TopicMetadata topic, TopicPartition partition) {
        return topic.hasPartition(partition.partition())
                && host.equals(placement.ownerOf(topic, partition.partition()));
    }

    boolean isEmpty() {
        return missing.isEmpty() && surplus.isEmpty() && deleted.isEmpty();
    }
}
