package io.talosgateway.doctor;

import java.io.IOException;
import java.time.InstantSource;
import java.util.List;

import io.talosgateway.rest.bootstrap.GatewayConfig;
import io.talosgateway.rest.coordination.zookeeper.ZooKeeperConfig;
import io.talosgateway.rest.coordination.zookeeper.ZooKeeperProbe;
import io.talosgateway.rest.coordination.zookeeper.ZooKeeperProbe.Cluster;
import io.talosgateway.rest.coordination.zookeeper.ZooKeeperProbe.Server;
import io.talosgateway.rest.coordination.zookeeper.ZooKeeperProbe.Touched;
import io.talosgateway.scheduler.NanoClock;

/** The ensemble: its servers, its latency, what this gateway may do there, and its clock. */
final class ZooKeeperCheck implements DoctorCheck {

    private static final int SERVER_TIMEOUT_MS = 5_000;
    private static final int ROUND_TRIPS = 7;
    private static final double SLOW_MS = 50;

    private final GatewayConfig config;
    private final FoundCluster view;
    private final NanoClock clock;
    private final InstantSource wallClock;

    ZooKeeperCheck(GatewayConfig config, FoundCluster view, NanoClock clock, InstantSource wallClock) {
        this.config = config;
        this.view = view;
        this.clock = clock;
        this.wallClock = wallClock;
    }

    @Override
    public String name() {
        return "ZooKeeper";
    }

    @Override
    public void run(Findings findings) throws IOException {
        ZooKeeperConfig zookeeper = config.zookeeper();
        if (config.isAlone()) {
            view.set(null);
            findings.ok("The gateway has a ZooKeeper of its own, and stands alone.");
            return;
        }
        if (zookeeper.tls() == null) {
            lookAtServers(ZooKeeperProbe.servers(zookeeper, SERVER_TIMEOUT_MS), findings);
        }
        try (ZooKeeperProbe probe = ZooKeeperProbe.open(zookeeper, clock)) {
            lookAtLatency(probe.roundTripNanos(ROUND_TRIPS) / 1e6, findings);
            Cluster cluster = probe.cluster();
            view.set(cluster);
            findings.ok(
                    cluster == null
                            ? "%s does not hold a cluster yet; the first gateway makes one.".formatted(zookeeper.root())
                            : "%s holds the cluster %s; hosts that are up: %s."
                                    .formatted(
                                            zookeeper.root(),
                                            cluster.id(),
                                            cluster.hosts().keySet()));
            long before = wallClock.millis();
            Touched touched = probe.touch();
            long after = wallClock.millis();
            findings.ok("Nodes can be made and deleted in %s.".formatted(touched.directory()));
            ClockOffset.of(before, touched.createdAtMs(), 1, after).tell("the clock of ZooKeeper's leader", findings);
            lookAtAccess(probe.openNodes(), findings);
        }
    }

    static void lookAtServers(List<Server> servers, Findings findings) {
        List<Server> silent =
                servers.stream().filter(server -> server.problem() != null).toList();
        for (Server server : silent) {
            findings.warn(
                    "The ZooKeeper server %s does not answer (%s).".formatted(server.address(), server.problem()),
                    "Start it, or correct zookeeper.connect.");
        }
        if (silent.size() < servers.size()) {
            findings.ok("Servers of ZooKeeper: %s."
                    .formatted(String.join(
                            ", ",
                            servers.stream()
                                    .filter(server -> server.problem() == null)
                                    .map(server -> server.address() + " "
                                            + (server.mode() == null ? "(does not tell its mode)" : server.mode()))
                                    .toList())));
        }
        if (servers.stream().anyMatch(server -> server.mode() == null && server.problem() == null)) {
            findings.warn(
                    "A ZooKeeper server answers, but serves nobody.",
                    "Most servers of the ensemble must run, and reach each other: look into its log.");
        }
    }

    static void lookAtLatency(double ms, Findings findings) {
        if (ms > SLOW_MS) {
            findings.warn(
                    "ZooKeeper answers in %.1f ms (median of %d).".formatted(ms, ROUND_TRIPS),
                    "Put the ensemble into the same data centre, with a disk of its own for the transaction log.");
        } else {
            findings.ok("ZooKeeper answers in %.1f ms (median of %d).".formatted(ms, ROUND_TRIPS));
        }
    }

    private void lookAtAccess(List<String> open, Findings findings) {
        ZooKeeperConfig zookeeper = config.zookeeper();
        if (zookeeper.auth() == null) {
            findings.warn(
                    "Everybody who reaches ZooKeeper can change and delete topics, as zookeeper.auth is not set.",
                    "Set zookeeper.auth=@FILE at all hosts, where FILE holds user:password.");
        } else if (!open.isEmpty()) {
            findings.warn(
                    "Everybody who reaches ZooKeeper can change %s, which was made before zookeeper.auth was set."
                            .formatted(String.join(" and ", open)),
                    "With ZooKeeper's command line: addauth digest user:password; setAcl -R %s auth::cdrwa"
                            .formatted(zookeeper.root()));
        } else {
            findings.ok("Nodes are for the user of zookeeper.auth alone.");
        }
        if (zookeeper.auth() != null && zookeeper.tls() == null) {
            findings.ok("ZooKeeper is spoken to in clear text: the password of zookeeper.auth crosses the network.");
        }
    }
}
