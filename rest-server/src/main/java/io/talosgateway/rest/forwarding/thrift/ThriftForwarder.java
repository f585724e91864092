package io.talosgateway.rest.forwarding.thrift;

import java.io.IOException;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

import javax.net.ssl.SSLEngine;

import io.prometheus.client.CollectorRegistry;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.forwarding.ForwardConfig;
import io.talosgateway.rest.forwarding.Forwarder;
import io.talosgateway.rest.forwarding.Peer;
import io.talosgateway.rest.hostprotocol.HostIdentity;
import io.talosgateway.rest.partition.PartitionService;
import io.talosgateway.rest.topic.UsedQuota;
import io.talosgateway.scheduler.DeadlineTimer;
import io.talosgateway.scheduler.NanoClock;
import org.jspecify.annotations.Nullable;

/** A {@link Forwarder} over Thrift, with one thread for the connections to all hosts. */
public final class ThriftForwarder implements Forwarder {

    private final LinkParts parts;
    private final IoLoop loop;
    private final ForwardMetrics metrics;
    private final Map<String, RemoteHost> hosts = new ConcurrentHashMap<>();
    private volatile boolean closed;

    /**
     * Starts no thread.
     *
     * @param self who this host is
     * @param incarnation under which it is registered, at present
     * @param answers completes futures; must not reject
     * @param random must not be predictable, and safe for use by several threads
     * @param tls makes the TLS of a connection; null for clear text
     * @throws IOException if the system gives no selector
     */
    public ThriftForwarder(
            ForwardConfig config,
            HostIdentity self,
            LongSupplier incarnation,
            DeadlineTimer timer,
            Executor answers,
            NanoClock clock,
            RandomGenerator random,
            @Nullable Supplier<SSLEngine> tls,
            CollectorRegistry registry)
            throws IOException {
        this.loop = new IoLoop("forward");
        this.parts = new LinkParts(config, self, incarnation, loop, timer, answers, clock, random, tls);
        this.metrics = new ForwardMetrics(registry);
    }

    public ThriftForwarder start() {
        loop.start();
        return this;
    }

    @Override
    public PartitionService owner(Peer owner) {
        return host(owner);
    }

    @Override
    public CompletableFuture<Void> tell(Peer host, List<UsedQuota> used) {
        try {
            return host(host).tell(used);
        } catch (GatewayException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private RemoteHost host(Peer owner) {
        RemoteHost known = hosts.get(owner.host());
        return known != null && known.peer().equals(owner) ? known : replace(owner);
    }

    /** Of a host, only the newest incarnation is kept: so there are never more than there are names. */
    private synchronized RemoteHost replace(Peer owner) {
        RemoteHost known = hosts.get(owner.host());
        if (known != null && known.peer().equals(owner)) {
            return known;
        }
        if (closed) {
            throw notServing("This host is shutting down; nothing was done. Try again.");
        }
        if (known != null) {
            if (known.peer().incarnation() > owner.incarnation()) {
                throw notServing("Host " + owner.host()
                        + ", which served the partition, has begun anew since; nothing was done. Try again.");
            }
            known.close("it has begun anew");
        }
        RemoteHost host = new RemoteHost(parts, owner, metrics.forHost(owner.host()));
        hosts.put(owner.host(), host);
        return host;
    }

    private static GatewayException notServing(String detail) {
        return new GatewayException(ErrorCode.PARTITION_NOT_SERVING, detail);
    }

    @Override
    public synchronized void retain(Collection<Peer> alive) {
        Set<Peer> kept = new HashSet<>(alive);
        hosts.values().removeIf(host -> {
            boolean gone = !kept.contains(host.peer());
            if (gone) {
                host.close("it has left the cluster");
            }
            return gone;
        });
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            retain(Set.of());
        }
        loop.close();
    }
}
