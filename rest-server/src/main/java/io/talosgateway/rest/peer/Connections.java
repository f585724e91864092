package io.talosgateway.rest.peer;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.ByteChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import javax.net.ssl.SSLEngine;

import io.talosgateway.rest.hostprotocol.TlsChannel;
import io.talosgateway.scheduler.DeadlineTimer;
import io.talosgateway.scheduler.NanoClock;
import org.jspecify.annotations.Nullable;

/** The connections to the peer port: how many there are, and what they share. Safe for use by any thread. */
final class Connections {

    private final PeerConfig config;
    private final DeadlineTimer timer;
    private final NanoClock clock;
    private final @Nullable Supplier<SSLEngine> tls;
    private final TlsChannel.Buffers tlsBuffers = new TlsChannel.Buffers();
    private final ClosedLog log;
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicInteger strangers = new AtomicInteger();

    /** @param tls makes the TLS of a connection; null for clear text */
    Connections(
            PeerConfig config,
            DeadlineTimer timer,
            NanoClock clock,
            @Nullable Supplier<SSLEngine> tls,
            PeerMetrics metrics) {
        this.config = config;
        this.timer = timer;
        this.clock = clock;
        this.tls = tls;
        this.log = new ClosedLog(clock, metrics);
        metrics.gauge("talos_peer_connections", "Connections of other hosts.", open::get);
        metrics.gauge("talos_peer_strangers", "Connections to the peer port that have not proved yet.", strangers::get);
    }

    PeerConfig config() {
        return config;
    }

    DeadlineTimer timer() {
        return timer;
    }

    NanoClock clock() {
        return clock;
    }

    /** What carries the bytes of a connection. For the thread of the server. */
    ByteChannel wire(SocketChannel socket) throws IOException {
        return tls == null ? socket : new TlsChannel(socket, tls.get(), tlsBuffers);
    }

    /** Counts a new connection; false if there are too many. It is to be counted down in either case. */
    boolean opened() {
        boolean roomForOne = open.incrementAndGet() <= config.maxConnections();
        boolean roomForStranger = strangers.incrementAndGet() <= config.maxStrangers();
        return roomForOne && roomForStranger;
    }

    void proved() {
        strangers.decrementAndGet();
    }

    void closed(boolean stranger) {
        open.decrementAndGet();
        if (stranger) {
            strangers.decrementAndGet();
        }
    }

    void tell(@Nullable SocketAddress from, CloseReason reason) {
        log.closed(from, reason);
    }

    /** Connections that are open. */
    int open() {
        return open.get();
    }

    /** Those that have not proved yet. */
    int strangers() {
        return strangers.get();
    }
}
