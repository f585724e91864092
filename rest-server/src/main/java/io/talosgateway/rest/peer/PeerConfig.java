package io.talosgateway.rest.peer;

import java.time.Duration;

import io.talosgateway.rest.config.DataSize;

/**
 * How other hosts are served.
 *
 * @param host address to listen at
 * @param port port to listen at; 0 for one of the system's choosing
 * @param maxFrame largest request; not much more than the largest body of clients
 * @param maxUnanswered most bytes of requests that are read and not answered; further ones are not read meanwhile
 * @param maxConnections most connections; further ones are closed
 * @param maxStrangers most connections that have not proved yet; further ones are closed
 * @param handshakeTimeout how long a connection may take to prove that it belongs to the cluster
 * @param transferTimeout how long a request may take to arrive, and an answer to be taken
 */
public record PeerConfig(
        String host,
        int port,
        DataSize maxFrame,
        DataSize maxUnanswered,
        int maxConnections,
        int maxStrangers,
        Duration handshakeTimeout,
        Duration transferTimeout) {

    /** As configured by default, at a port of the system's choosing. */
    public static final PeerConfig DEFAULT = new PeerConfig(
            "127.0.0.1",
            0,
            DataSize.ofMiB(32),
            DataSize.ofMiB(256),
            4096,
            64,
            Duration.ofSeconds(5),
            Duration.ofSeconds(15));

    public PeerConfig {
        check(port >= 0 && port <= 65_535, "peer.port must be 0 to 65535", port);
        check(
                maxFrame.toBytes() >= 1 << 16 && maxFrame.toBytes() <= 1 << 30,
                "peer.max-frame-size must be 64KiB to 1GiB",
                maxFrame);
        check(
                maxUnanswered.toBytes() >= 2 * maxFrame.toBytes(),
                "peer.max-unanswered-size must be at least twice peer.max-frame-size",
                maxUnanswered);
        check(maxConnections >= 1, "peer.max-connections must be positive", maxConnections);
        check(maxStrangers >= 1, "peer.max-strangers must be positive", maxStrangers);
        check(handshakeTimeout.toMillis() >= 1, "peer.handshake-timeout must be positive", handshakeTimeout);
        check(transferTimeout.toMillis() >= 1, "peer.transfer-timeout must be positive", transferTimeout);
    }

    private static void check(boolean holds, String rule, Object value) {
        if (!holds) {
            throw new IllegalArgumentException(rule + ": " + value);
        }
    }
}
