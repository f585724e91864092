package io.talosgateway.rest.forwarding.thrift;

import java.io.IOException;
import java.time.Duration;
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
import io.talosgateway.rest.fetch.FetchRequest;
import io.talosgateway.rest.fetch.FetchResult;
import io.talosgateway.rest.forwarding.ForwardConfig;
import io.talosgateway.rest.forwarding.Forwarder;
import io.talosgateway.rest.forwarding.HostIdentity;
import io.talosgateway.rest.forwarding.Peer;
import io.talosgateway.rest.produce.PutRequest;
import io.talosgateway.rest.produce.PutResult;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.rest.topicadmin.PartitionStatuses;
import io.talosgateway.scheduler.Deadline;
import io.talosgateway.scheduler.DeadlineTimer;
import io.talosgateway.scheduler.NanoClock;
import io.talosgateway.thrift.call.ThriftEnvelope;
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
    public CompletableFuture<PutResult> put(Peer owner, PutRequest request) {
        int partition = request.partition().partition();
        return ask(
                owner,
                new Call.Question<>(
                        CallKind.PUT,
                        bounded(request.deadline()),
                        request.batch().bytes(),
                        (out, budgetMs) -> PutCodec.writeRequest(out, request, budgetMs),
                        in -> PutCodec.readResult(in, partition),
                        request.idempotencyKey() != null));
    }

    @Override
    public CompletableFuture<FetchResult> fetch(Peer owner, FetchRequest request) {
        try {
            RemoteHost host = host(owner);
            if (!request.maxWait().isZero() && host.reserveWait()) {
                return host.askAndWait(get(request, request.maxWait()));
            }
            return host.ask(get(request, Duration.ZERO));
        } catch (GatewayException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private Call.Question<FetchResult> get(FetchRequest request, Duration maxWait) {
        return question(
                CallKind.GET,
                request.deadline(),
                (out, budgetMs) -> FetchCodec.writeRequest(out, request, maxWait, budgetMs),
                FetchCodec::readResult);
    }

    @Override
    public CompletableFuture<PartitionStatuses> describe(
            Peer owner, List<TopicPartition> partitions, Deadline deadline) {
        return ask(
                owner,
                question(
                        CallKind.DESCRIBE,
                        deadline,
                        (out, budgetMs) -> PartitionsCodec.writeDescribe(out, partitions),
                        PartitionsCodec::readStatuses));
    }

    @Override
    public CompletableFuture<Long> offsetAt(Peer owner, TopicPartition partition, long timeMs, Deadline deadline) {
        return ask(
                owner,
                question(
                        CallKind.OFFSET_AT,
                        deadline,
                        (out, budgetMs) -> PartitionsCodec.writeOffsetAt(out, partition, timeMs, budgetMs),
                        PartitionsCodec::readOffset));
    }

    @Override
    public CompletableFuture<Void> deleteOldest(
            Peer owner, TopicPartition partition, long firstOffset, long lastOffset, Deadline deadline) {
        return ask(
                owner,
                question(
                        CallKind.DELETE_OLDEST,
                        deadline,
                        (out, budgetMs) -> PartitionsCodec.writeDeleteOldest(out, partition, firstOffset, lastOffset),
                        null));
    }

    private <R> Call.Question<R> question(
            CallKind kind,
            Deadline deadline,
            Call.ArgumentWriter writer,
            ThriftEnvelope.@Nullable StructReader<R> reader) {
        return new Call.Question<>(kind, bounded(deadline), 0, writer, reader, false);
    }

    private Deadline bounded(Deadline deadline) {
        return deadline.isSet() ? deadline : Deadline.after(parts.clock(), Budget.DEFAULT);
    }

    private <R> CompletableFuture<R> ask(Peer owner, Call.Question<R> question) {
        try {
            return host(owner).ask(question);
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
