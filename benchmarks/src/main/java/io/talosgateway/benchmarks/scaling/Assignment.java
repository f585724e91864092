package io.talosgateway.benchmarks.scaling;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import com.google.common.collect.HashMultiset;
import com.google.common.collect.Multiset;
import io.talosgateway.rest.coordination.Placement;
import io.talosgateway.rest.coordination.Placement.PlacedHost;
import io.talosgateway.rest.placement.PlacementMap;
import io.talosgateway.rest.topic.TopicMetadata;

/** Which host the gateway's placement gives each partition. */
final class Assignment {

    private static final double HIGH = 0.99;

    private final TopicSet topics;
    private final Set<String> hosts;
    private final PlacementMap map;
    private final double ms;

    /**
     * How evenly partitions are divided among hosts, as multiples of the mean.
     *
     * @param worstTopic most that a host has of a topic, by its share: the topic's partitions by hosts, rounded up
     */
    record Balance(double most, double p99, double worstTopic) {}

    Assignment(TopicSet topics, Placement placement) {
        this.topics = topics;
        this.hosts = hosts(placement);
        long beganNanos = System.nanoTime();
        map = new PlacementMap(placement);
        // Any partition: the first question about a topic finds the owners of all of them.
        topics.topics().forEach(topic -> map.ownerOf(topic, 0));
        ms = (System.nanoTime() - beganNanos) / 1e6;
    }

    /** The hosts of a placement, present or not. */
    static Set<String> hosts(Placement placement) {
        return placement.hosts().stream().map(PlacedHost::name).collect(Collectors.toSet());
    }

    Set<String> hosts() {
        return hosts;
    }

    /** For each partition of a topic its host. */
    List<String> owners(TopicMetadata topic) {
        return map.ownersByName(topic.id(), topic.partitions());
    }

    /** How long a host takes to find that out. */
    double ms() {
        return ms;
    }

    Balance balance() {
        Multiset<String> partitions = HashMultiset.create();
        double worstTopic = 0;
        for (TopicMetadata topic : topics.topics()) {
            Multiset<String> ofTopic = HashMultiset.create(owners(topic));
            partitions.addAll(ofTopic);
            double share = Math.ceil((double) topic.partitions() / hosts.size());
            for (Multiset.Entry<String> owner : ofTopic.entrySet()) {
                worstTopic = Math.max(worstTopic, owner.getCount() / share);
            }
        }
        int[] loads = hosts.stream().mapToInt(partitions::count).sorted().toArray();
        double mean = Arrays.stream(loads).average().orElse(1);
        return new Balance(
                loads[loads.length - 1] / mean, loads[(int) Math.ceil(loads.length * HIGH) - 1] / mean, worstTopic);
    }
}
