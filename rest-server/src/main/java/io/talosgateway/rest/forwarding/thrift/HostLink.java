package io.talosgateway.rest.forwarding.thrift;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.forwarding.ForwardConfig;
import io.talosgateway.rest.forwarding.Peer;
import io.talosgateway.rest.hostprotocol.HostFrame;
import io.talosgateway.scheduler.Deadline;
import io.talosgateway.scheduler.Timeout;
import org.apache.thrift.protocol.TProtocol;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way to one host for one class of calls: a bounded queue, connections that are opened when calls wait, and back-off when
 * none can be opened. What is not marked otherwise is for the thread of the loop only.
 */
final class HostLink implements HostConnection.Listener {

    private static final Logger log = LoggerFactory.getLogger(HostLink.class);

    private final LinkParts parts;
    private final Peer owner;
    private final int maxConnections;
    private final PeerAddress address;
    private final CallQueue queue;
    private final CallSender sender;
    private final BackOff backOff;
    private final ForwardMetrics.ForHost metrics;
    private final IdleLimit idleLimit = new IdleLimit();

    private final Set<HostConnection> connections = new HashSet<>();
    /** Proved and without a call, the one that was used last first. */
    private final Deque<HostConnection> idle = new ArrayDeque<>();

    private int connecting;
    private boolean closed;

    // Written by the loop, read by any thread.
    private volatile @Nullable Pause pause;
    private volatile int open;
    private volatile int inFlight;

    /**
     * No connection is opened meanwhile; without an open one, calls fail at once.
     *
     * @param until when a connection is tried again; {@link Deadline#NONE} for never
     */
    private record Pause(String reason, Deadline until) {}

    HostLink(LinkParts parts, Peer owner, int maxConnections, ForwardMetrics.ForHost metrics) {
        this.parts = parts;
        this.owner = owner;
        this.maxConnections = maxConnections;
        this.address = new PeerAddress(owner.address());
        ForwardConfig config = parts.config();
        this.queue = new CallQueue(config.maxQueued(), config.maxQueuedSize().toBytes());
        this.sender = new CallSender(config, parts.clock());
        this.backOff = new BackOff(config.minBackOff(), config.maxBackOff(), parts.random());
        this.metrics = metrics;
    }

    // --- any thread ---

    /**
     * Queues a call.
     *
     * @throws GatewayException if it is refused; then nobody else answers it
     */
    void submit(Call<?> call) {
        Pause current = currentPause();
        if (current != null && open == 0) {
            throw unreachable(current.reason);
        }
        queue.reserve(call, owner.host());
        call.sinceNanos = parts.clock().nanoTime();
        parts.timer().schedule(call, call.question().deadline());
        parts.loop().execute(() -> enqueue(call));
    }

    /** Hears that the timer has answered a call. */
    void expired(Call<?> call) {
        parts.loop().execute(() -> {
            HostConnection connection = call.connection;
            if (!queue.remove(call) && connection != null) {
                connection.close("it did not answer in time");
                // The others may lead to the same frozen process: what comes next has to find out first.
                List.copyOf(idle).forEach(other -> other.close("it did not answer another request in time"));
            }
        });
    }

    /** Closes all connections and answers all calls. */
    void close(String reason) {
        parts.loop().execute(() -> {
            closed = true;
            pause = new Pause(reason, Deadline.NONE);
            parts.timer().cancel(idleLimit);
            List.copyOf(connections).forEach(connection -> connection.close(reason));
            publish();
            refuseAll(reason);
        });
    }

    int queued() {
        return queue.calls();
    }

    long queuedBytes() {
        return queue.bytes();
    }

    int openConnections() {
        return open;
    }

    int inFlight() {
        return inFlight;
    }

    boolean isBackingOff() {
        return currentPause() != null;
    }

    private @Nullable Pause currentPause() {
        Pause current = pause;
        return current == null || current.until.hasPassed(parts.clock().nanoTime()) ? null : current;
    }

    private GatewayException unreachable(String reason) {
        return new GatewayException(
                ErrorCode.PARTITION_NOT_SERVING,
                "Host " + owner.host() + ", which serves the partition, cannot be reached: " + reason
                        + "; nothing was done. Try again.");
    }

    // --- the loop ---

    private void enqueue(Call<?> call) {
        if (call.isDone()) {
            queue.release(call);
            return;
        }
        queue.add(call);
        dispatch();
    }

    private void dispatch() {
        while (!idle.isEmpty() && queue.waiting() > 0) {
            Call<?> call = queue.poll();
            if (call != null) {
                send(call, idle.pop());
            }
        }
        Pause current =
                currentPause(); // looked at once: what waits is either refused or has a connection opened for it
        if (current == null) {
            connect();
        }
        publish();
        if (current != null && open == 0) {
            refuseAll(current.reason);
        }
    }

    private void send(Call<?> call, HostConnection connection) {
        HostFrame frame = sender.prepare(call, connection.nextSequence());
        if (frame == null) {
            parts.timer().cancel(call);
            idle.push(connection);
            return;
        }
        long now = parts.clock().nanoTime();
        metrics.waited(now - call.sinceNanos);
        call.sinceNanos = now;
        connection.send(call, frame);
    }

    /** Opens connections for what waits: one to find out about a host, then as many as there are calls. */
    private void connect() {
        int wanted = Math.min(queue.waiting(), connections.size() == connecting ? 1 : maxConnections);
        while (connecting < wanted && connections.size() < maxConnections) {
            HostConnection connection = new HostConnection(parts, owner, this);
            connections.add(connection);
            connecting++;
            connection.open(address);
        }
    }

    private void publish() {
        open = connections.size() - connecting;
        inFlight = open - idle.size();
    }

    private void refuseAll(String reason) {
        for (Call<?> call : queue.removeAll()) {
            parts.timer().cancel(call);
            call.refuse(unreachable(reason));
        }
    }

    @Override
    public void proved(HostConnection connection) {
        connecting--;
        if (backOff.failures() > 0) {
            log.info("Host {} can be reached again", owner);
            backOff.succeeded();
        }
        pause = null;
        idle.push(connection);
        idleLimit.begin();
        dispatch();
    }

    @Override
    public void answered(HostConnection connection, Call<?> call, TProtocol in, boolean exceptional) {
        parts.timer().cancel(call);
        metrics.answered(parts.clock().nanoTime() - call.sinceNanos);
        call.answered(in, exceptional);
        idle.push(connection);
        dispatch();
    }

    @Override
    public void closed(HostConnection connection, String reason, @Nullable Call<?> call, boolean sent) {
        connections.remove(connection);
        idle.remove(connection);
        if (!connection.hasProved()) {
            connecting--;
            if (!closed) {
                pause(reason);
            }
        }
        if (call != null) {
            if (!sent && call.unclaim()) {
                queue.addAgain(call);
            } else {
                parts.timer().cancel(call);
                call.lost("the connection to host " + owner.host() + " ended: " + reason);
            }
        }
        dispatch();
    }

    private void pause(String reason) {
        long nanos = backOff.failed();
        pause = new Pause(reason, Deadline.at(parts.clock().nanoTime() + nanos));
        if (backOff.failures() == 1) {
            log.warn("Host {} cannot be reached: {}", owner, reason);
        }
    }

    /** Closes connections that have had no call for a while. */
    private final class IdleLimit extends Timeout {

        private boolean begun;

        void begin() {
            if (!begun) {
                begun = true;
                parts.timer()
                        .schedule(
                                this,
                                Deadline.after(parts.clock(), parts.config().idleTimeout()));
            }
        }

        @Override
        protected void deadlinePassed() {
            parts.loop().execute(this::closeIdle);
        }

        private void closeIdle() {
            begun = false;
            long before =
                    parts.clock().nanoTime() - parts.config().idleTimeout().toNanos();
            for (HostConnection connection : List.copyOf(idle)) {
                if (connection.idleSinceNanos() - before <= 0) {
                    connection.close("it was not used");
                }
            }
            if (!closed && connections.size() > connecting) {
                begin();
            }
        }
    }
}
