package io.talosgateway.benchmarks.scaling;

import java.util.Comparator;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.talosgateway.rest.coordination.Election;
import io.talosgateway.rest.coordination.HostInfo;
import io.talosgateway.rest.coordination.HostInfo.Intent;
import io.talosgateway.rest.coordination.Hosts;
import io.talosgateway.rest.coordination.Placement;
import io.talosgateway.rest.coordination.Placement.PlacedHost;
import io.talosgateway.rest.coordination.Placement.Presence;
import io.talosgateway.rest.coordination.PlacementRecord;
import io.talosgateway.rest.coordination.ReadLease;
import io.talosgateway.rest.coordination.zookeeper.RecordJson;
import io.talosgateway.rest.placement.PlacementConfig;
import io.talosgateway.rest.placement.PlacementController;

/**
 * The gateway's controller, on hosts and a placement in memory and a clock that is moved on. Counts what ZooKeeper would be
 * asked for: every host watches the placement and the hosts. For one thread.
 */
final class SimulatedController implements AutoCloseable {

    private static final long TICK_MS = 100;
    private static final long NANOS_IN_MS = 1_000_000;

    private final ZooKeeperUse use;
    private final Map<String, HostInfo> alive = new TreeMap<>();
    private final PlacementController controller;
    private Placement placement;
    private int version;
    private long nowMs;

    /** Begins with so many hosts that have been there for long. */
    SimulatedController(int hosts, PlacementConfig config, ZooKeeperUse use) {
        this.use = use;
        HostNames.first(hosts).forEach(name -> alive.put(name, info(name, 1, Intent.SERVE)));
        placement = new Placement(IntStream.range(0, hosts)
                .mapToObj(number -> new PlacedHost(HostNames.of(number), Presence.PRESENT))
                .sorted(Comparator.comparing(PlacedHost::name))
                .toList());
        controller = new PlacementController(
                config, new Elected(), new InMemoryHosts(), new InMemoryRecord(), () -> nowMs * NANOS_IN_MS);
        controller.decide();
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
        controller.decide();
    }

    /** A host says what it is about to do, or that it is there. */
    void announce(int host, long incarnation, Intent intent) {
        HostInfo info = info(HostNames.of(host), incarnation, intent);
        alive.put(info.name(), info);
        int bytes = RecordJson.write(info).length;
        use.write(1, bytes);
        use.watched(alive.size(), bytes);
        controller.decide();
    }

    /** Lets time pass; the controller looks again and again. */
    void pass(long ms) {
        long until = nowMs + ms;
        while (nowMs < until) {
            nowMs = Math.min(until, nowMs + TICK_MS);
            controller.decide();
        }
    }

    @Override
    public void close() {
        controller.close();
    }

    private final class InMemoryRecord implements PlacementRecord {

        @Override
        public Versioned current() {
            return new Versioned(placement, version);
        }

        @Override
        public boolean replace(int expectedVersion, Placement next) {
            placement = next;
            version++;
            int bytes = placementBytes();
            use.write(1, bytes);
            use.watched(alive.size(), bytes);
            return true;
        }

        @Override
        public void onChange(Runnable listener) {}
    }

    private final class InMemoryHosts implements Hosts {

        @Override
        public Map<String, HostInfo> alive() {
            return alive;
        }

        @Override
        public boolean isGone(String host, long incarnation) {
            HostInfo there = alive.get(host);
            return there == null || there.incarnation() != incarnation;
        }

        @Override
        public long nextIncarnation(String host, long known) {
            throw new UnsupportedOperationException();
        }

        @Override
        public ReadLease register(HostInfo host) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void announce(HostInfo host) {}

        @Override
        public void unregister(String host) {}

        @Override
        public void onChange(Runnable listener) {}

        @Override
        public void onNewSession(Runnable listener) {}

        @Override
        public boolean isConnected() {
            return true;
        }
    }

    private static final class Elected implements Election {

        @Override
        public void stand(String host) {}

        @Override
        public boolean isElected() {
            return true;
        }

        @Override
        public void onElected(Runnable listener) {}

        @Override
        public void withdraw() {}
    }
}
