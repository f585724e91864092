package io.talosgateway.rest.forwarding;

import java.time.Duration;

import io.talosgateway.rest.config.DataSize;

/**
 * What each remote host may take of this one. A connection carries one call at a time.
 *
 * @param maxConnections most connections to a host, but for those of gets that wait for messages
 * @param maxWaitingGets most gets that wait for messages at a host, each on a connection of its own; further ones are
 *     forwarded without waiting
 * @param maxQueued most requests that wait for a connection to a host
 * @param maxQueuedSize most bytes of messages that they hold
 * @param maxFrame largest request and answer
 * @param connectTimeout how long connecting and proving to each other may take
 * @param idleTimeout how long a connection without calls is kept
 * @param reserve what is kept back of the time budget for the way of the answer
 * @param minBackOff how long a host is left alone after it could not be reached once
 * @param maxBackOff how long it is left alone at most
 */
public record ForwardConfig(
        int maxConnections,
        int maxWaitingGets,
        int maxQueued,
        DataSize maxQueuedSize,
        DataSize maxFrame,
        Duration connectTimeout,
        Duration idleTimeout,
        Duration reserve,
        Duration minBackOff,
        Duration maxBackOff) {

    public static final ForwardConfig DEFAULT = new ForwardConfig(
            32,
            64,
            4096,
            DataSize.ofMiB(64),
            DataSize.ofMiB(32),
            Duration.ofSeconds(2),
            Duration.ofMinutes(1),
            Duration.ofMillis(20),
            Duration.ofMillis(100),
            Duration.ofSeconds(5));

    public ForwardConfig {
        check(maxConnections >= 1, "forward.max-connections must be positive", maxConnections);
        check(maxWaitingGets >= 0, "forward.max-waiting-gets must not be negative", maxWaitingGets);
        check(maxQueued >= 1, "forward.max-queued must be positive", maxQueued);
        check(maxQueuedSize.toBytes() >= 1, "forward.max-queued-size must be positive", maxQueuedSize);
        check(
                maxFrame.toBytes() >= 1 << 16 && maxFrame.toBytes() <= 1 << 30,
                "peer.max-frame-size must be 64KiB to 1GiB",
                maxFrame);
        check(connectTimeout.toMillis() >= 1, "forward.connect-timeout must be positive", connectTimeout);
        check(idleTimeout.toMillis() >= 1, "forward.idle-timeout must be positive", idleTimeout);
        check(!reserve.isNegative(), "forward.reserve must not be negative", reserve);
        check(minBackOff.toMillis() >= 1, "forward.min-back-off must be positive", minBackOff);
        check(
                maxBackOff.compareTo(minBackOff) >= 0,
                "forward.max-back-off must not be less than forward.min-back-off",
                maxBackOff);
    }

    private static void check(boolean holds, String rule, Object value) {
        if (!holds) {
            throw new IllegalArgumentException(rule + ": " + value);
        }
    }
}
