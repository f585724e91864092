package io.talosgateway.rest.placement;

import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.talosgateway.rest.coordination.Placement;
import io.talosgateway.rest.coordination.Placement.PlacedHost;
import io.talosgateway.rest.topic.TopicId;
import io.talosgateway.rest.topic.TopicMetadata;
import org.jspecify.annotations.Nullable;

/**
 * Which host of a placement gets which partition: consistent hashing, so that few partitions move when a host comes or goes,
 * with bounded loads, so that no host gets more than its share of a topic's partitions and a tenth of it: a partition
 * whose host is full goes to the next one on the ring. After Mirrokni, Thorup and Zadimoghaddam, "Consistent Hashing with
 * Bounded Loads", 2016. A pure function of the names of the hosts, the topic's id and its number of partitions. Safe for use
 * by any thread.
 */
public final class PlacementMap {

    /** Room for so much more than there is, as a divisor. */
    private static final int SPARE = 10;

    /** In the place of the number of a partition. */
    private static final int DRAW = -1;

    private final List<String> hosts;
    private final HashRing ring;
    private final long[] nameHashes;
    private final Map<TopicId, int[]> owners = new ConcurrentHashMap<>();

    public PlacementMap(Placement placement) {
        hosts = placement.hosts().stream().map(PlacedHost::name).sorted().toList();
        ring = new HashRing(hosts);
        nameHashes = hosts.stream().mapToLong(HashRing::hash).toArray();
    }

    /** The host that gets the partition, or null if there are no hosts. */
    public @Nullable String ownerOf(TopicMetadata topic, int partition) {
        return hosts.isEmpty() ? null : hosts.get(owners(topic.id(), topic.partitions())[partition]);
    }

    /** The partitions of a topic that a host gets, in order: cheaper than to ask for the owner of each. */
    public IntStream partitionsOf(String host, TopicMetadata topic) {
        int index = Collections.binarySearch(hosts, host);
        if (index < 0) {
            return IntStream.empty();
        }
        int[] assigned = owners(topic.id(), topic.partitions());
        return IntStream.range(0, assigned.length).filter(partition -> assigned[partition] == index);
    }

    /** How many partitions of these topics each host gets, by its name. */
    public Map<String, Integer> loads(Collection<TopicMetadata> topics) {
        int[] loads = new int[hosts.size()];
        if (loads.length > 0) {
            for (TopicMetadata topic : topics) {
                for (int host : owners(topic.id(), topic.partitions())) {
                    loads[host]++;
                }
            }
        }
        return IntStream.range(0, loads.length)
                .boxed()
                .collect(Collectors.toUnmodifiableMap(hosts::get, host -> loads[host]));
    }

    /** Forgets what was found for topics that are gone, once that is more than half of it. */
    public void forgetAllBut(Map<TopicId, ?> topics) {
        if (owners.size() > 2 * topics.size()) {
            owners.keySet().retainAll(topics.keySet());
        }
    }

    /** Topics whose assignment is remembered. */
    int remembered() {
        return owners.size();
    }

    /** For each partition of a topic the index of its host. */
    int[] owners(TopicId topic, int partitions) {
        int[] known = owners.get(topic);
        if (known == null || known.length != partitions) {
            known = assign(topic, partitions);
            owners.put(topic, known);
        }
        return known;
    }

    /** For each partition of a topic the name of its host; empty if there are no hosts. */
    public List<String> ownersByName(TopicId topic, int partitions) {
        return hosts.isEmpty()
                ? List.of()
                : Arrays.stream(owners(topic, partitions)).mapToObj(hosts::get).toList();
    }

    private int[] assign(TopicId topic, int partitions) {
        int[] capacities = capacities(topic, partitions);
        int[] loads = new int[hosts.size()];
        int[] assigned = new int[partitions];
        for (int partition = 0; partition < partitions; partition++) {
            int point = ring.firstPoint(HashRing.hash(topic.mostSignificant(), topic.leastSignificant(), partition));
            while (loads[ring.hostAt(point)] >= capacities[ring.hostAt(point)]) {
                point = ring.nextPoint(point);
            }
            assigned[partition] = ring.hostAt(point);
            loads[assigned[partition]]++;
        }
        return assigned;
    }

    /**
     * How many partitions of a topic each host has room for: a tenth more than there are, divided evenly. What is left over
     * by that is room for one more on some hosts, drawn for each topic. Were it given to all, the loss of one host of a
     * thousand could let each of the others take one more, and half of the topic would move.
     */
    private int[] capacities(TopicId topic, int partitions) {
        int room = partitions + partitions / SPARE;
        int[] capacities = new int[hosts.size()];
        Arrays.fill(capacities, Math.max(1, room / hosts.size()));
        int drawn = room % hosts.size();
        if (room > hosts.size() && drawn > 0) {
            long[] draws = Arrays.stream(nameHashes)
                    .map(name -> HashRing.hash(topic.mostSignificant() ^ name, topic.leastSignificant(), DRAW))
                    .toArray();
            long[] sorted = draws.clone();
            Arrays.sort(sorted);
            for (int host = 0; host < capacities.length; host++) {
                capacities[host] += draws[host] <= sorted[drawn - 1] ? 1 : 0;
            }
        }
        return capacities;
    }
}
