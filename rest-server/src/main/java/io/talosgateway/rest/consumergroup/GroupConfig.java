package io.talosgateway.rest.consumergroup;

import java.time.Duration;

/**
 * What consumer groups may do.
 *
 * @param lease how long a worker lives that does not renew itself; the Talos SDKs do every 7 to 10 seconds
 * @param maxSize most workers, partitions held and committed offsets, in each partition of the topic for consumer groups
 */
public record GroupConfig(Duration lease, int maxSize) {

    /** A snapshot of so many has 10 MB with long names. */
    public static final int DEFAULT_MAX_SIZE = 100_000;

    private static final Duration SHORTEST_LEASE = Duration.ofSeconds(1);
    private static final Duration LONGEST_LEASE = Duration.ofHours(1);

    public GroupConfig {
        if (lease.compareTo(SHORTEST_LEASE) < 0 || lease.compareTo(LONGEST_LEASE) > 0) {
            throw new IllegalArgumentException("consumer-group.lease must be 1 second to 1 hour: " + lease);
        }
        if (maxSize < 1) {
            throw new IllegalArgumentException("the size of consumer groups must be positive: " + maxSize);
        }
    }
}
