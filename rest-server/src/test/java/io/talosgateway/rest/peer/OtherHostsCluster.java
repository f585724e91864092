package io.talosgateway.rest.peer;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.talosgateway.rest.coordination.HostInfo;
import io.talosgateway.rest.coordination.Hosts;
import io.talosgateway.rest.coordination.OwnershipRecords;
import io.talosgateway.rest.coordination.Placement;
import io.talosgateway.rest.coordination.PlacementRecord;
import io.talosgateway.rest.coordination.TopicRegistry;
import io.talosgateway.rest.hosting.Cluster;
import io.talosgateway.rest.topic.TopicId;
import io.talosgateway.rest.topic.TopicMetadata;
import io.talosgateway.rest.topic.TopicName;
import io.talosgateway.rest.topic.TopicPartition;

/** What a host knows of a cluster in which nothing changes, and every partition of the one topic is another host's. */
final class OtherHostsCluster implements Hosts, TopicRegistry, OwnershipRecords, PlacementRecord {

    private final TopicMetadata topic;
    private final String owner;
    private final Map<String, HostInfo> alive = new ConcurrentHashMap<>();

    OtherHostsCluster(TopicMetadata topic, HostInfo owner) {
        this.topic = topic;
        this.owner = owner.name();
        alive.put(owner.name(), owner);
    }

    Cluster cluster() {
        return new Cluster(this, this, this, this, (journal, done, recovery) -> recovery.run());
    }

    private static AssertionError changed() {
        return new AssertionError("nothing changes in this cluster");
    }

    // --- All of them ---

    @Override
    public void onChange(Runnable listener) {}

    // --- Hosts ---

    @Override
    public long nextIncarnation(String host) {
        return 7;
    }

    @Override
    public void register(HostInfo host) {
        alive.put(host.name(), host);
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
    public List<Integer> write(List<Change> changes) {
        throw changed();
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
        return new PlacementRecord.Versioned(
                new Placement(List.of(new Placement.PlacedHost(owner, Placement.Presence.PRESENT))), 1);
    }

    @Override
    public boolean replace(int expectedVersion, Placement placement) {
        throw changed();
    }
}
