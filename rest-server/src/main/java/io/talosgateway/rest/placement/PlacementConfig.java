package io.talosgateway.rest.placement;

import java.time.Duration;

/**
 * When hosts join and leave the placement.
 *
 * @param joinDelay how long a new host waits for others that start at the same time, so that partitions are moved once
 * @param removalDelay how long the partitions of a host that vanished wait for it: meanwhile nobody serves them
 * @param restartDelay the same for a host that announced a restart
 */
public record PlacementConfig(Duration joinDelay, Duration removalDelay, Duration restartDelay) {

    public PlacementConfig {
        if (joinDelay.isNegative() || removalDelay.isNegative() || restartDelay.compareTo(removalDelay) < 0) {
            throw new IllegalArgumentException(
                    "cluster.restart-delay must be at least cluster.removal-delay, and none negative: " + restartDelay
                            + ", " + removalDelay);
        }
    }
}
