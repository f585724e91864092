package io.talosgateway.benchmarks.scaling;

import java.util.Comparator;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.talosgateway.rest.coordination.HostInfo;
import io.talosgateway.rest.coordination.HostInfo.Intent;
import io.talosgateway.rest.coordination.Placement;
import io.talosgateway.rest.coordination.Placement.PlacedHost;
import io.talosgateway.rest.coordination.Placement.Presence;
import io.talosgateway.rest.coordination.zookeeper.RecordJson;
import io.talosgateway.rest.placement.PlacementConfig;
import io.talosgateway.rest.placement.PlacementRules;

/**
 * The rules of the gateway's controller, on hosts and a placement in memory and a clock that is moved on. Counts what ZooKeeper would be
 * asked for: every host watches the placement and the hosts. For one thread.
 */
final class SimulatedController {

    private static final long TICK_MS = 100;
    private static final long NANOS_IN_MS = 1_000_000;

    private final ZooKeeperUse use;
    private final Map<String, HostInfo> alive = new TreeMap<>();
    private final PlacementRules rules;
    private Placement placement;
    private long nowMs;

    /** Begins with so many hosts that have been there for long. */
    SimulatedController(int hosts, PlacementConfig config, ZooKeeperUse use) {
        this.use = use;
        HostNames.first(hosts).forEach(name -> alive.put(name, info(name, 1, Intent.SERVE)));
        placement = new Placement(IntStream.range(0, hosts)
                .mapToObj(number -> new PlacedHost(HostNames.of(number), Presence.PRESENT))
                .sorted(Comparator.comparing(PlacedHost::name))
                .toList());
        rules = new PlacementRules(config);
        decide();
    }

    private static HostInfo info(String name, long incarnation, Intent intent) {
        return new HostInfo(name, incarnation, name + ".example.com:8080", name + ".example.com:8082", intent);
    }

    Placement placement() {
        return placement;
    }

    /** Hosts that are alive. */
    Set<Integer> alive() {
        return alive.keySet().stream().map(HostNames::number).collect(Collectors.toSet());
    }

    long nowMs() {
        return nowMs;
    }

    int placementBytes() {
        return RecordJson.write(placement).length;
    }

    /** Their sessions end. */
    void lose(Iterable<Integer> hosts) {
        for (int host : hosts) {
            alive.remove(HostNames.of(host));
            use.write(1, 0);
            use.watched(alive.size(), 0);
        }
        decide();
    }

    /** A host says what it is about to do, or that it is there. */
    void announce(int host, long incarnation, Intent intent) {
        HostInfo info = info(HostNames.of(host), incarnation, intent);
        alive.put(info.name(), info);
        int bytes = RecordJson.write(info).length;
        use.write(1, bytes);
        use.watched(alive.size(), bytes);
        decide();
    }

    /** Lets time pass; the controller looks again and again. */
    void pass(long ms) {
        long until = nowMs + ms;
        while (nowMs < until) {
            nowMs = Math.min(until, nowMs + TICK_MS);
            decide();
        }
    }

    /** As {@code PlacementController} does: writes the placement if it should be another. */
    private void decide() {
        Placement next = rules.next(placement, alive, nowMs * NANOS_IN_MS);
        if (!next.equals(placement)) {
            placement = next;
            int bytes = placementBytes();
            use.write(1, bytes);
            use.watched(alive.size(), bytes);
        }
    }
}
