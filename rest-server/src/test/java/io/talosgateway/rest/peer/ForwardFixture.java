package io.talosgateway.rest.peer;

import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import javax.net.ssl.SSLEngine;

import io.prometheus.client.CollectorRegistry;
import io.talosgateway.rest.admission.AdmissionConfig;
import io.talosgateway.rest.admission.AdmissionController;
import io.talosgateway.rest.config.DataSize;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.forwarding.ForwardConfig;
import io.talosgateway.rest.forwarding.Peer;
import io.talosgateway.rest.forwarding.thrift.ThriftForwarder;
import io.talosgateway.rest.hostprotocol.ClusterSecret;
import io.talosgateway.rest.hostprotocol.HostIdentity;
import io.talosgateway.rest.message.IdempotencyKey;
import io.talosgateway.rest.message.MessageBatch;
import io.talosgateway.rest.partition.FetchFrom;
import io.talosgateway.rest.partition.FetchRequest;
import io.talosgateway.rest.partition.PartitionService;
import io.talosgateway.rest.partition.PutRequest;
import io.talosgateway.rest.requestlog.RequestLogs;
import io.talosgateway.rest.topic.TopicId;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.rest.topic.UsedQuota;
import io.talosgateway.scheduler.Deadline;
import io.talosgateway.scheduler.DeadlineTimer;
import io.talosgateway.scheduler.NanoClock;
import io.talosgateway.scheduler.Priority;
import io.talosgateway.scheduler.SteppedTime;
import io.talosgateway.scheduler.WheelTimer;
import io.talosgateway.wire.message.ByteSlice;
import io.talosgateway.wire.message.MessageBlock;
import org.jspecify.annotations.Nullable;

/** Hosts of a cluster in this process, that talk over real sockets. */
final class ForwardFixture implements AutoCloseable {

    static final ClusterSecret SECRET = new ClusterSecret("the secret of the tests");
    static final TopicPartition PARTITION = new TopicPartition(new TopicId(-1, 2), 3);

    /** The incarnation of hosts that call. */
    static final long CALLER = 3;

    /** Makes the TLS of hosts that serve; null for clear text. */
    final @Nullable Supplier<SSLEngine> accepting;

    /** For tests that do not move the time: a busy machine takes long to connect. */
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    static final ForwardConfig PATIENT = config(
            ForwardConfig.DEFAULT.maxConnections(),
            ForwardConfig.DEFAULT.maxWaitingGets(),
            ForwardConfig.DEFAULT.maxQueued(),
            ForwardConfig.DEFAULT.maxQueuedSize().toBytes());

    private final @Nullable Supplier<SSLEngine> connecting;

    final NanoClock clock = System::nanoTime;
    final WheelTimer timer = new WheelTimer("test-deadlines", clock).start();
    final ExecutorService answers = Executors.newFixedThreadPool(2);
    final SecureRandom random = new SecureRandom();
    /** What the owners were told of quotas. */
    final Queue<UsedQuota> toldQuotas = new ConcurrentLinkedQueue<>();

    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    /** Hosts that call are not registered while they are here. */
    final Set<String> gone = ConcurrentHashMap.newKeySet();

    ForwardFixture() {
        this(null, null);
    }

    /** Hosts that speak TLS; null for clear text. */
    ForwardFixture(@Nullable Supplier<SSLEngine> accepting, @Nullable Supplier<SSLEngine> connecting) {
        this.accepting = accepting;
        this.connecting = connecting;
    }

    /** A host that serves partitions. */
    record Owner(Peer peer, PeerServer server, PartitionService services, AdmissionController admission) {

        /** What it serves, if the test has not chosen something else. */
        GatedPartitions partitions() {
            return (GatedPartitions) services;
        }

        Peer named(String host) {
            return new Peer(host, peer.incarnation(), peer.address());
        }

        Peer incarnation(long incarnation) {
            return new Peer(peer.host(), incarnation, peer.address());
        }
    }

    private boolean isRegistered(String host, long incarnation) {
        return incarnation == CALLER && !gone.contains(host);
    }

    static HostIdentity identity(String host) {
        return new HostIdentity("cluster", host, SECRET);
    }

    Owner owner(String host) throws IOException {
        return owner(identity(host), patient(0));
    }

    /** A host at a port of the test's choosing. */
    Owner owner(String host, int port) throws IOException {
        return owner(identity(host), patient(port));
    }

    private static PeerConfig patient(int port) {
        PeerConfig defaults = PeerConfig.DEFAULT;
        return new PeerConfig(
                defaults.host(),
                port,
                defaults.maxFrame(),
                defaults.maxUnanswered(),
                defaults.maxConnections(),
                defaults.maxStrangers(),
                PATIENCE,
                PATIENCE);
    }

    Owner owner(HostIdentity self, PeerConfig config) throws IOException {
        return owner(self, config, timer, clock);
    }

    /** A host whose time the test moves. */
    Owner owner(PeerConfig config, SteppedTime time) throws IOException {
        return owner(identity("owner"), config, time, time);
    }

    /** A host with the services of the test's choosing. */
    Owner owner(String host, PartitionService partitions) throws IOException {
        return owner(identity(host), patient(0), partitions, timer, clock);
    }

    private Owner owner(HostIdentity self, PeerConfig config, DeadlineTimer deadlines, NanoClock now)
            throws IOException {
        return owner(self, config, new GatedPartitions(), deadlines, now);
    }

    private Owner owner(
            HostIdentity self, PeerConfig config, PartitionService partitions, DeadlineTimer deadlines, NanoClock now)
            throws IOException {
        CollectorRegistry registry = new CollectorRegistry();
        AdmissionController admission = new AdmissionController(
                new AdmissionConfig(DataSize.ofMiB(256), 10_000, 1_000, 100, 100), registry, System::nanoTime);
        PeerServer server = new PeerServer(
                config,
                self,
                () -> 7,
                this::isRegistered,
                partitions,
                toldQuotas::addAll,
                admission,
                deadlines,
                now,
                random,
                accepting,
                RequestLogs.NONE,
                registry);
        server.bind();
        server.start();
        opened.push(server::stop);
        return new Owner(new Peer(self.host(), 7, "127.0.0.1:" + server.port()), server, partitions, admission);
    }

    ThriftForwarder forwarder() throws IOException {
        return forwarder(PATIENT);
    }

    ThriftForwarder forwarder(ForwardConfig config) throws IOException {
        return forwarder(config, identity("caller"), new CollectorRegistry());
    }

    ThriftForwarder forwarder(ForwardConfig config, HostIdentity self, CollectorRegistry registry) throws IOException {
        return forwarder(config, self, connecting, registry);
    }

    /** A forwarder with another TLS than the others; null for clear text. */
    ThriftForwarder forwarderOver(@Nullable Supplier<SSLEngine> tls) throws IOException {
        return forwarder(PATIENT, identity("caller"), tls, new CollectorRegistry());
    }

    private ThriftForwarder forwarder(
            ForwardConfig config, HostIdentity self, @Nullable Supplier<SSLEngine> tls, CollectorRegistry registry)
            throws IOException {
        return opened(new ThriftForwarder(config, self, () -> CALLER, timer, answers, clock, random, tls, registry));
    }

    /** A forwarder whose time the test moves. */
    ThriftForwarder forwarder(ForwardConfig config, SteppedTime time, CollectorRegistry registry) throws IOException {
        return opened(new ThriftForwarder(
                config, identity("caller"), () -> CALLER, time, answers, time, random, connecting, registry));
    }

    /** A forwarder whose timer never calls back. */
    ThriftForwarder forwarder(NanoClock now) throws IOException {
        return opened(new ThriftForwarder(
                ForwardConfig.DEFAULT,
                identity("caller"),
                () -> CALLER,
                new SteppedTime(),
                answers,
                now,
                random,
                connecting,
                new CollectorRegistry()));
    }

    private ThriftForwarder opened(ThriftForwarder forwarder) {
        opened.push(forwarder);
        return forwarder.start();
    }

    /** The defaults with other bounds. */
    static ForwardConfig config(int maxConnections, int maxWaitingGets, int maxQueued, long maxQueuedBytes) {
        ForwardConfig defaults = ForwardConfig.DEFAULT;
        return new ForwardConfig(
                maxConnections,
                maxWaitingGets,
                maxQueued,
                new DataSize(maxQueuedBytes),
                defaults.maxFrame(),
                PATIENCE,
                defaults.idleTimeout(),
                defaults.reserve(),
                defaults.minBackOff(),
                defaults.maxBackOff());
    }

    Deadline in(Duration time) {
        return Deadline.after(clock, time);
    }

    Deadline soon() {
        return in(PATIENCE);
    }

    PutRequest put(String payload) {
        return put(payload, null, soon());
    }

    PutRequest put(String payload, IdempotencyKey key, Deadline deadline) {
        return new PutRequest(PARTITION, batch(payload), key, null, Priority.Importance.NORMAL, deadline, null);
    }

    FetchRequest get(Duration maxWait, Deadline deadline) {
        return new FetchRequest(
                PARTITION, new FetchFrom.Earliest(), 10, 1 << 20, maxWait, Priority.Importance.NORMAL, deadline, null);
    }

    static MessageBatch batch(String payload) {
        return new MessageBatch(List.of(new MessageBlock(1, 0, ByteSlice.utf8(payload), 1000, ByteSlice.EMPTY)));
    }

    static <T> T get(CompletableFuture<T> future) throws Exception {
        return future.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    static GatewayException failure(CompletableFuture<?> future) throws Exception {
        try {
            throw new AssertionError("there is a result: " + future.get(PATIENCE.toSeconds(), TimeUnit.SECONDS));
        } catch (ExecutionException e) {
            return (GatewayException) e.getCause();
        }
    }

    @Override
    public void close() throws Exception {
        while (!opened.isEmpty()) {
            opened.pop().close();
        }
        answers.shutdownNow();
        timer.close();
    }
}
