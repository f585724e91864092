package io.talosgateway.benchmarks.scaling;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.talosgateway.rest.coordination.Placement;
import io.talosgateway.rest.placement.PlacementMap;
import io.talosgateway.rest.topic.TopicMetadata;

/** Which host the gateway's placement gives each partition. */
final class Assignment {

    private final int[][] owners;
    private final long nanos;

    private Assignment(int[][] owners, long nanos) {
        this.owners = owners;
        this.nanos = nanos;
    }

    static Assignment of(TopicSet topics, Placement placement) {
        Map<String, Integer> numbers = new HashMap<>();
        placement.hosts().forEach(host -> numbers.put(host.name(), HostNames.number(host.name())));
        int[][] owners = new int[topics.topics().size()][];
        long nanos = -System.nanoTime();
        PlacementMap map = new PlacementMap(placement);
        // Any name: the first question about a topic finds the owners of all its partitions.
        topics.topics().forEach(topic -> map.ownerOf(topic, 0));
        nanos += System.nanoTime();
        for (int index = 0; index < owners.length; index++) {
            TopicMetadata topic = topics.topics().get(index);
            List<String> names = map.ownersByName(topic.id(), topic.partitions());
            owners[index] = names.stream().mapToInt(numbers::get).toArray();
        }
        return new Assignment(owners, nanos);
    }

    /** For each topic and partition the number of the host. */
    int[][] owners() {
        return owners;
    }

    /** How long a host takes to find that out. */
    long nanos() {
        return nanos;
    }

    /** Partitions of each host. */
    int[] loads(int hosts) {
        int[] loads = new int[hosts];
        for (int[] topic : owners) {
            for (int owner : topic) {
                loads[owner]++;
            }
        }
        return loads;
    }
}
