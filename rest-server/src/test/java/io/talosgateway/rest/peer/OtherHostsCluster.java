package io.talosgateway.rest.peer;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.talosgateway.rest.coordination.HostInfo;
import io.talosgateway.rest.coordination.Hosts;
import io.talosgateway.rest.coordination.OwnershipRecords;
import io.talosgateway.rest.coordination.Placement;
import io.talosgateway.rest.coordination.Placement.PlacedHost;
import io.talosgateway.rest.coordination.Placement.Presence;
import io.talosgateway.rest.coordination.PlacementRecord;
import io.talosgateway.rest.coordination.ReadLease;
import io.talosgateway.rest.coordination.TopicRegistry;
import io.talosgateway.rest.coordination.TopicUsage;
import io.talosgateway.rest.hosting.ClusterPorts;
import io.talosgateway.rest.placement.PlacementMap;
import io.talosgateway.rest.topic.Quota;
import io.talosgateway.rest.topic.TopicId;
import io.talosgateway.rest.topic.TopicMetadata;
import io.talosgateway.rest.topic.TopicName;
import io.talosgateway.rest.topic.TopicPartition;
import org.jspecify.annotations.Nullable;

/** What a host knows of a cluster of two in which nothing changes: the one partition of the one topic is the other host's. */
final class OtherHostsCluster implements Hosts, TopicRegistry, OwnershipRecords, PlacementRecord {

    private final TopicMetadata topic;
    private final PlacementRecord.Versioned placement;
    private final Map<String, HostInfo> alive = new ConcurrentHashMap<>();

    OtherHostsCluster(String self, HostInfo owner) {
        Placement both = new Placement(Stream.of(self, owner.name())
                .sorted()
                .map(name -> new PlacedHost(name, Presence.PRESENT))
                .toList());
        this.placement = new PlacementRecord.Versioned(both, 1);
        PlacementMap map = new PlacementMap(both);
        this.topic = IntStream.range(0, 100)
                .mapToObj(OtherHostsCluster::topic)
                .filter(one -> owner.name().equals(map.ownerOf(one, 0)))
                .findFirst()
                .orElseThrow();
        alive.put(owner.name(), owner);
    }

    private static TopicMetadata topic(int number) {
        return new TopicMetadata(
                new TopicName("topic"),
                new TopicId(1, number),
                "someone",
                1,
                Duration.ofDays(1),
                Map.of(),
                Map.of(),
                Quota.UNLIMITED,
                0);
    }

    /** The partition of the other host. */
    TopicPartition partition() {
        return new TopicPartition(topic.id(), 0);
    }

    ClusterPorts cluster() {
        return new ClusterPorts(this, this, this, this, (journal, done, recovery) -> recovery.run());
    }

    private static AssertionError changed() {
        return new AssertionError("nothing changes in this cluster");
    }

    // --- All of them ---

    @Override
    public void onChange(Runnable listener) {}

    // --- Hosts ---

    @Override
    public long nextIncarnation(String host, long known) {
        return 7;
    }

    @Override
    public ReadLease register(HostInfo host) {
        alive.put(host.name(), host);
        return new ReadLease() {
            @Override
            public boolean isHeld() {
                return true;
            }

            @Override
            public String whyNotHeld() {
                throw changed();
            }
        };
    }

    @Override
    public boolean isGone(String host, long incarnation) {
        return !alive.containsKey(host);
    }

    @Override
    public void announce(HostInfo host) {
        alive.put(host.name(), host);
    }

    @Override
    public void unregister(String host) {
        alive.remove(host);
    }

    @Override
    public Map<String, HostInfo> alive() {
        return alive;
    }

    @Override
    public void onNewSession(Runnable listener) {}

    @Override
    public boolean isConnected() {
        return true;
    }

    // --- TopicRegistry ---

    @Override
    public TopicMetadata find(TopicName name) {
        return topic.name().equals(name) ? topic : null;
    }

    @Override
    public TopicMetadata find(TopicId id) {
        return topic.id().equals(id) ? topic : null;
    }

    @Override
    public Collection<TopicMetadata> all() {
        return List.of(topic);
    }

    @Override
    public Page page(@Nullable TopicName after, Predicate<TopicMetadata> wanted, int maxTopics, long maxBytes) {
        throw new UnsupportedOperationException();
    }

    @Override
    public TopicUsage usage() {
        throw new UnsupportedOperationException();
    }

    @Override
    public TopicUsage usage(String ownerId) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Set<String> unreadable() {
        return Set.of();
    }

    @Override
    public Set<TopicId> idsNow() {
        return Set.of(topic.id());
    }

    @Override
    public void create(TopicMetadata created) {
        throw changed();
    }

    @Override
    public void update(TopicMetadata expected, TopicMetadata changed) {
        throw changed();
    }

    @Override
    public void delete(TopicMetadata deleted) {
        throw changed();
    }

    // --- OwnershipRecords ---

    @Override
    public Map<TopicPartition, OwnershipRecords.Versioned> read(Collection<TopicPartition> partitions) {
        return Map.of();
    }

    @Override
    public Map<TopicPartition, OwnershipRecords.Versioned> read(
            Collection<TopicPartition> partitions, BiConsumer<TopicPartition, String> unreadable) {
        return read(partitions);
    }

    @Override
    public List<Integer> write(List<Change> changes) {
        throw changed();
    }

    @Override
    public int changes() {
        return 0;
    }

    @Override
    public void delete(TopicId deleted) {
        throw changed();
    }

    @Override
    public List<TopicId> topics() {
        return List.of();
    }

    // --- PlacementRecord ---

    @Override
    public PlacementRecord.Versioned current() {
        return placement;
    }

    @Override
    public boolean replace(int expectedVersion, Placement replacement) {
        throw changed();
    }
}
