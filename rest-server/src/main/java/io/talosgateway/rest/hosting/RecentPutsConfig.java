package io.talosgateway.rest.hosting;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * How long a repeat of a put is recognised.
 *
 * @param maxAge time after the put
 * @param maxPerPartition puts with idempotency keys of the same partition after it
 * @param maxTotal puts remembered for all partitions, some 200 bytes each; beyond it the oldest is forgotten
 */
public record RecentPutsConfig(Duration maxAge, int maxPerPartition, int maxTotal) {

    public RecentPutsConfig {
        if (maxAge.isNegative() || maxAge.isZero() || maxPerPartition < 1 || maxTotal < 1) {
            throw new IllegalArgumentException(
                    "idempotency.max-age and idempotency.max-per-partition must be positive: " + maxAge + ", "
                            + maxPerPartition);
        }
    }

    /** Whether a put is too old for its repeat to be recognised. */
    boolean isTooOld(long addedAtNanos, long nowNanos) {
        return TimeUnit.NANOSECONDS.toMillis(nowNanos - addedAtNanos) > maxAge.toMillis();
    }
}
