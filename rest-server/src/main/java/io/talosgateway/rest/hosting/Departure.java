package io.talosgateway.rest.hosting;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

import io.talosgateway.rest.coordination.HostInfo;
import io.talosgateway.rest.coordination.HostInfo.Intent;
import io.talosgateway.rest.coordination.Placement;
import io.talosgateway.rest.coordination.Placement.PlacedHost;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.scheduler.NanoClock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A host says that it goes, and goes when nothing waits for it. */
final class Departure {

    private static final Logger log = LoggerFactory.getLogger(Departure.class);
    private static final long POLL_MS = 20;

    private final HostedPartitions hosting;
    private final ClusterPorts cluster;
    private final NanoClock clock;

    Departure(HostedPartitions hosting, ClusterPorts cluster, NanoClock clock) {
        this.hosting = hosting;
        this.cluster = cluster;
        this.clock = clock;
    }

    /** Announces the host with an intent, and waits until it may go. Blocks. */
    void announce(HostInfo host, Intent intent, Duration atMost) {
        try {
            cluster.hosts().announce(host.with(intent));
            long deadlineNanos = clock.nanoTime() + atMost.toNanos();
            while (!mayGo() && clock.nanoTime() - deadlineNanos < 0) {
                TimeUnit.MILLISECONDS.sleep(POLL_MS);
            }
            if (!mayGo()) {
                log.warn(
                        "The cluster did not react within {} s; {} partitions are left to be fenced",
                        atMost.toSeconds(),
                        hosting.size());
            }
        } catch (GatewayException e) {
            log.warn("The cluster could not be told that this host goes: {}", e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whether the cluster has heard that this host goes, and has nothing to wait for. */
    boolean mayGo() {
        Optional<PlacedHost> placed = cluster.placement().current().placement().find(hosting.hostName());
        return placed.isEmpty() ? hosting.size() == 0 : placed.get().presence() == Placement.Presence.RESTARTING;
    }
}
