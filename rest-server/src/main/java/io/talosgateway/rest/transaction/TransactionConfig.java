package io.talosgateway.rest.transaction;

import java.time.Duration;

import io.talosgateway.rest.config.DataSize;

/**
 * What transactions may do.
 *
 * @param timeout after which one that is neither committed nor rolled back is rolled back
 * @param maxPreparedSize most bytes of blocks, in each partition of the topic for transactions
 * @param maxPrepared most transactions that have not ended, in each partition of that topic
 * @param maxRemembered transactions that have ended, and whose outcome is still told, in each partition of that topic
 * @param minSuperseded a partition of that topic is written anew when more bytes of it are superseded, and more than are not
 */
public record TransactionConfig(
        Duration timeout, DataSize maxPreparedSize, int maxPrepared, int maxRemembered, DataSize minSuperseded) {

    public static final int DEFAULT_MAX_PREPARED = 10_000;

    /** So many have 1 MB. */
    public static final int DEFAULT_MAX_REMEMBERED = 10_000;

    /** So much is read in milliseconds. */
    public static final DataSize DEFAULT_MIN_SUPERSEDED = DataSize.ofMiB(4);

    private static final Duration SHORTEST_TIMEOUT = Duration.ofSeconds(1);
    private static final Duration LONGEST_TIMEOUT = Duration.ofDays(7);

    public TransactionConfig {
        if (timeout.compareTo(SHORTEST_TIMEOUT) < 0 || timeout.compareTo(LONGEST_TIMEOUT) > 0) {
            throw new IllegalArgumentException("transaction.timeout must be 1 second to 7 days: " + timeout);
        }
        if (maxPreparedSize.toBytes() < 1 << 16 || maxPreparedSize.toBytes() > 1 << 29) {
            throw new IllegalArgumentException(
                    "transaction.max-prepared-size must be 64KiB to 512MiB: " + maxPreparedSize);
        }
        if (maxPrepared < 1 || maxRemembered < 1 || minSuperseded.toBytes() < 1) {
            throw new IllegalArgumentException("the sizes of transactions must be positive: " + maxPrepared + ", "
                    + maxRemembered + ", " + minSuperseded);
        }
    }
}
