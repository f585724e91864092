package io.talosgateway.rest.bootstrap;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Supplier;

import io.talosgateway.rest.coordination.HostInfo;
import io.talosgateway.rest.coordination.Placement;
import io.talosgateway.rest.coordination.Placement.PlacedHost;
import io.talosgateway.rest.coordination.Placement.Presence;
import io.talosgateway.rest.coordination.TopicUsage;
import io.talosgateway.rest.coordination.zookeeper.ZooKeeperCoordination;
import io.talosgateway.rest.hosting.HostedPartitions;
import io.talosgateway.rest.hosting.HostingState;
import io.talosgateway.rest.http.rest.ClusterStatus;
import io.talosgateway.rest.http.rest.ClusterStatus.Host;
import io.talosgateway.rest.http.rest.ClusterStatus.State;
import org.jspecify.annotations.Nullable;

/** What this host knows of the cluster. From memory; looks at each partition once. Safe for use by any thread. */
final class ClusterView implements Supplier<ClusterStatus> {

    private final HostedPartitions hosting;
    private final ZooKeeperCoordination coordination;

    ClusterView(HostedPartitions hosting, ZooKeeperCoordination coordination) {
        this.hosting = hosting;
        this.coordination = coordination;
    }

    @Override
    public ClusterStatus get() {
        TopicUsage usage = coordination.topics().usage();
        return new ClusterStatus(
                hosting.hostName(),
                hosting.incarnationNumber(),
                hosting.state() == HostingState.SERVING && hosting.whyRefusing() == null,
                coordination.election().isElected(),
                coordination.hosts().isConnected(),
                usage.topics(),
                usage.partitions(),
                hosting.size(),
                hosting.refused(),
                hosts(
                        coordination.hosts().alive(),
                        coordination.placement().current().placement(),
                        hosting.partitionsByHost()));
    }

    /**
     * The hosts that are alive or have partitions.
     *
     * @param loads partitions by name of host
     */
    static List<Host> hosts(Map<String, HostInfo> alive, Placement placement, Map<String, Integer> loads) {
        TreeSet<String> names = new TreeSet<>(alive.keySet());
        placement.hosts().forEach(placed -> names.add(placed.name()));
        List<Host> hosts = new ArrayList<>();
        for (String name : names) {
            HostInfo info = alive.get(name);
            PlacedHost placed = placement.find(name).orElse(null);
            hosts.add(new Host(
                    name, state(info, placed), info == null ? null : info.endpoint(), loads.getOrDefault(name, 0)));
        }
        return hosts;
    }

    private static State state(@Nullable HostInfo info, @Nullable PlacedHost placed) {
        if (info == null) {
            return placed != null && placed.presence() == Presence.RESTARTING ? State.RESTARTING : State.ABSENT;
        }
        return switch (info.intent()) {
            case LEAVE -> State.LEAVING;
            case RESTART -> State.RESTARTING;
            case START -> State.JOINING;
            case SERVE -> placed == null ? State.JOINING : State.SERVING;
        };
    }
}
