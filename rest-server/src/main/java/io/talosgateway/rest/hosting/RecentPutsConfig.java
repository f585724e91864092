package io.talosgateway.rest.hosting;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * How long a repeat of a put is recognised.
 *
 * @param maxAge time after the put
 * @param maxPerPartition puts with idempotency keys of the same partition after it
 * @param maxTotal puts remembered for all partitions, some 90 bytes each; beyond it the oldest is forgotten; 100,000,000 at most
 */
public record RecentPutsConfig(Duration maxAge, int maxPerPartition, int maxTotal) {

    /** As many fit into arrays. */
    private static final int MOST = 100_000_000;

    public RecentPutsConfig {
        if (maxAge.isNegative() || maxAge.isZero() || maxPerPartition < 1 || maxTotal < 1) {
            throw new IllegalArgumentException(
                    "idempotency.max-age and idempotency.max-per-partition must be positive: " + maxAge + ", "
                            + maxPerPartition);
        }
        if (maxTotal > MOST) {
            throw new IllegalArgumentException("idempotency.max-total may be " + MOST + " at most: " + maxTotal);
        }
    }

    /** Whether a put is too old for its repeat to be recognised. */
    boolean isTooOld(long addedAtNanos, long nowNanos) {
        return TimeUnit.NANOSECONDS.toMillis(nowNanos - addedAtNanos) > maxAge.toMillis();
    }
}
