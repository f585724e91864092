package io.talosgateway.rest.peer;

import java.net.SocketAddress;
import java.util.concurrent.atomic.AtomicInteger;

import io.talosgateway.scheduler.DeadlineTimer;
import io.talosgateway.scheduler.NanoClock;
import org.jspecify.annotations.Nullable;

/** The connections to the peer port: how many there are, and what they share. Safe for use by any thread. */
final class Connections {

    private final PeerConfig config;
    private final DeadlineTimer timer;
    private final NanoClock clock;
    private final ClosedLog log;
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicInteger strangers = new AtomicInteger();

    Connections(PeerConfig config, DeadlineTimer timer, NanoClock clock, PeerMetrics metrics) {
        this.config = config;
        this.timer = timer;
        this.clock = clock;
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
