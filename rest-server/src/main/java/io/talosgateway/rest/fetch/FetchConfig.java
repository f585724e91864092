package io.talosgateway.rest.fetch;

import java.time.Duration;

import io.talosgateway.rest.config.DataSize;

/**
 * What one get may ask for.
 *
 * @param maxMessages more are not returned, but for whole blocks
 * @param maxSize more bytes of blocks are not returned, but for one block
 * @param maxWait longest wait for messages
 * @param maxWaiters most gets that wait at once
 */
public record FetchConfig(int maxMessages, DataSize maxSize, Duration maxWait, int maxWaiters) {

    public FetchConfig {
        if (maxMessages < 1
                || maxSize.toBytes() < 1
                || maxSize.toBytes() > 1 << 30
                || maxWait.isNegative()
                || maxWaiters < 0) {
            throw new IllegalArgumentException(
                    "fetch.max-messages and fetch.max-size (at most 1GiB) must be positive, fetch.max-wait and "
                            + "fetch.max-waiters not negative: " + maxMessages + ", " + maxSize + ", " + maxWait + ", "
                            + maxWaiters);
        }
    }
}
