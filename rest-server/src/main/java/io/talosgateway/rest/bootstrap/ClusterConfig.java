package io.talosgateway.rest.bootstrap;

import java.time.Duration;

import io.talosgateway.rest.coordination.HostInfo.Intent;
import io.talosgateway.rest.placement.PlacementConfig;
import io.talosgateway.rest.tls.HostTls;
import org.jspecify.annotations.Nullable;

/**
 * How this host is one of several.
 *
 * @param placement when hosts join and leave
 * @param moveWait how long a request waits for a partition that is moving to another host
 * @param stopNotice how long a host that is stopped goes on after it has said that it is not ready
 * @param onStop whether a host that is stopped gives its partitions to others, or has them wait for it
 * @param stopTimeout how long it waits for the others then
 * @param advertise {@code host:port} at which other hosts reach this one; null for where it listens
 * @param secret what all hosts of the cluster share; null for what ZooKeeper holds
 * @param tls what hosts speak to each other; null for clear text
 */
public record ClusterConfig(
        PlacementConfig placement,
        Duration moveWait,
        Duration stopNotice,
        Intent onStop,
        Duration stopTimeout,
        @Nullable String advertise,
        @Nullable String secret,
        HostTls.@Nullable Config tls) {

    /** The secret is not shown. */
    @Override
    public String toString() {
        return "ClusterConfig[%s, %s, %s, %s, %s, %s]"
                .formatted(placement, moveWait, stopNotice, onStop, stopTimeout, advertise);
    }
}
