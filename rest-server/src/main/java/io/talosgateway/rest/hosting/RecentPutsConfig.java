package io.talosgateway.rest.hosting;

import java.time.Duration;

/**
 * How long a repeat of a put is recognised.
 *
 * @param maxAge time after the put
 * @param maxPerPartition puts with idempotency keys of the same partition after it
 * @param maxTotal puts remembered for all partitions, some 200 bytes each; beyond it a partition forgets its oldest
 */
public record RecentPutsConfig(Duration maxAge, int maxPerPartition, int maxTotal) {

    public RecentPutsConfig {
        if (maxAge.isNegative() || maxAge.isZero() || maxPerPartition < 1 || maxTotal < 1) {
            throw new IllegalArgumentException(
                    "idempotency.max-age and idempotency.max-per-partition must be positive: " + maxAge + ", "
                            + maxPerPartition);
        }
    }
}
