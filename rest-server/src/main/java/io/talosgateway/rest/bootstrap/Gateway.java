package io.talosgateway.rest.bootstrap;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.prometheus.client.CollectorRegistry;
import io.talosgateway.rest.auth.Authenticator;
import io.talosgateway.rest.auth.CertificateKeys;
import io.talosgateway.rest.config.PrivateFiles;
import io.talosgateway.rest.coordination.zookeeper.ZooKeeperCoordination;
import io.talosgateway.rest.hosting.ClusterCheck;
import io.talosgateway.rest.hosting.HostAddress;
import io.talosgateway.rest.hosting.HostingState;
import io.talosgateway.rest.hostprotocol.ClusterSecret;
import io.talosgateway.rest.hostprotocol.HostIdentity;
import io.talosgateway.rest.http.HttpServer;
import io.talosgateway.rest.http.audit.AuditFile;
import io.talosgateway.rest.http.audit.AuditLog;
import io.talosgateway.rest.http.ops.OpsAccess;
import io.talosgateway.rest.http.ops.OpsHandler;
import io.talosgateway.rest.http.ops.Readiness;
import io.talosgateway.rest.http.rest.ProblemErrorHandler;
import io.talosgateway.rest.http.rest.StartingHandler;
import io.talosgateway.rest.http.tls.TlsConfig;
import io.talosgateway.rest.http.tls.TlsListener;
import io.talosgateway.rest.http.tls.TlsMetrics;
import io.talosgateway.rest.journal.JournalStorage;
import io.talosgateway.rest.metrics.Gauges;
import io.talosgateway.rest.requestlog.AccessFile;
import io.talosgateway.rest.requestlog.AccessLog;
import io.talosgateway.rest.requestlog.RequestLogs;
import io.talosgateway.rest.requestlog.SlowRequests;
import io.talosgateway.rest.tls.HostTls;
import io.talosgateway.rest.trace.Tracing;
import io.talosgateway.rest.tracing.OtelTracing;
import io.talosgateway.scheduler.Deadline;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A gateway that runs in this process. */
public final class Gateway implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Gateway.class);
    private static final long POLL_MS = 20;
    private static final Request.Handler STARTING = new StartingHandler();

    private final GatewayConfig config;
    /** What was started, the last first: closed in this order. */
    private final Deque<Step> started = new ArrayDeque<>();

    private final WarmUp warmUp;

    private volatile String status = "starting";
    private volatile boolean stopping;
    private volatile @Nullable GatewayWiring wiring;
    private @Nullable HttpServer main;
    private @Nullable HttpServer ops;
    private volatile String endpoint = "";
    /** Empty for a host that is alone. */
    private volatile String peerAddress = "";

    private record Step(String name, Closing closing) {}

    private interface Closing {
        void close() throws Exception;
    }

    private Gateway(GatewayConfig config, Duration warmUp) {
        this.config = config;
        this.warmUp = new WarmUp(config, warmUp, this::isServing, System::nanoTime);
    }

    /** Lets tests watch how handlers use Jetty. */
    @FunctionalInterface
    interface HandlerWrapper {
        Handler wrap(Handler handler);
    }

    /**
     * Starts a gateway; returns when it serves.
     *
     * @throws IOException with a sentence for the operator if it cannot start; nothing is left running
     */
    public static Gateway start(GatewayConfig config) throws IOException {
        return start(config, handler -> handler);
    }

    /** The same, but it is not ready before it is warmed up. */
    public static Gateway startAndWarmUp(GatewayConfig config) throws IOException {
        return start(new Gateway(config, config.warmUp()), handler -> handler);
    }

    static Gateway start(GatewayConfig config, HandlerWrapper wrapper) throws IOException {
        return start(new Gateway(config, Duration.ZERO), wrapper);
    }

    private static Gateway start(Gateway gateway, HandlerWrapper wrapper) throws IOException {
        try {
            gateway.start(wrapper);
            return gateway;
        } catch (IOException | RuntimeException e) {
            gateway.close();
            throw e;
        }
    }

    private void start(HandlerWrapper wrapper) throws IOException {
        CollectorRegistry registry = new CollectorRegistry();
        HttpServer opsServer = new HttpServer("ops", config.ops().listen(), opsTls(), System::nanoTime);
        opsServer.check();
        OpsAccess access = new OpsAccess(config.ops(), this::authenticator);
        OpsHandler opsHandler =
                new OpsHandler(registry, this::readiness, access, config.ops().console(), this::api);
        opsServer.start(wrapper.wrap(opsHandler), new ProblemErrorHandler());
        ops = opsServer;
        opened("operations port", opsServer::stop);
        Gauges.gauge(
                registry,
                "talos_ready",
                "1 while requests should be sent to this host, as /health/ready tells.",
                () -> readiness().ready() ? 1 : 0);
        TlsListener tls = tls(registry);
        HttpServer server = new HttpServer("http", config.http(), tls, System::nanoTime);
        // Before anything is touched.
        server.check();
        lookAtDataDirectory();
        main = server;
        opened("HTTP port", server::stop);
        OpenFileLimit.warnIfFew(config);

        status = "opening the storage";
        log.info("Opening the storage {}", config.storage().root());
        JournalStorage storage = Storages.open(config.storage());
        opened("storage", storage);

        status = "connecting to ZooKeeper";
        String connect = config.zookeeper().connect();
        log.info("Connecting to {}", connect == null ? "the embedded ZooKeeper" : "ZooKeeper at " + connect);
        ZooKeeperCoordination coordination =
                ZooKeeperCoordination.open(config.zookeeper(), System::nanoTime, InstantSource.system());
        opened("ZooKeeper connection", coordination);
        String clusterId = ClusterCheck.check(coordination, coordination.topics(), storage, System::nanoTime);

        GatewayWiring parts = new GatewayWiring(
                config,
                () -> new HostAddress(endpoint, peerAddress),
                identity(clusterId, coordination),
                KeyEncryption.cipher(config, clusterId),
                tls == null ? () -> CertificateKeys.NONE : tls::certificateKeys,
                audit(registry),
                new RequestLogs(
                        access(server, registry), new SlowRequests(config.logs().slowRequest()), tracing(registry)),
                registry,
                storage,
                coordination);
        opened("threads", () -> endThreads(parts));
        parts.keys.load();
        parts.jvm.start();
        opened("metrics of the JVM", parts.jvm);
        wiring = parts;

        startTokens(parts);
        startPeers(parts);

        ClassPreload.run();

        status = "taking over partitions";
        // Before the port closes, so that what is under way can be answered.
        opened("partitions", parts.hosting::stop);
        opened("controller", parts.controller);
        // Requests are answered from now on: until partitions are here, that the host is starting.
        Gauges.gauge(registry, "talos_connections", "Connections of clients.", server::connections);
        Gauges.counter(
                registry,
                "talos_connections_refused_total",
                "Connections closed at once because their address had too many.",
                server::refusedConnections);
        server.start(wrapper.wrap(parts.handler()), parts.errors());
        endpoint = endpoint(server);
        opened("requests", () -> drain(parts, server));
        parts.controller.start(config.hosting().hostName());
        parts.hosting.start();
        parts.transactionSweep.start();
        opened("sweep of transactions", parts.transactionSweep);
        if (!config.isAlone()) {
            opened("place in the cluster", () -> leave(parts));
        }
        status = "serving";
        log.info(
                "Talos Gateway serves at {} (operations at {}://{}:{})",
                urls(server),
                config.ops().tls() ? "https" : "http",
                config.ops().listen().host(),
                opsPort());
        opened("warm-up", warmUp::close);
        warmUp.start(storage);
    }

    /** A gateway that makes the directory keeps others out. */
    private void lookAtDataDirectory() throws IOException {
        Path directory = config.dataDirectory();
        if (Files.isDirectory(directory) && PrivateFiles.isOpenToOthers(directory)) {
            log.warn(
                    "Everybody on this machine can look into the data directory {}, where keys and messages are: chmod 700 it",
                    directory);
        }
    }

    private AuditLog audit(CollectorRegistry registry) throws IOException {
        Path file = config.logs().auditFile();
        if (file == null) {
            return AuditLog.NONE;
        }
        AuditFile audit = new AuditFile(file, InstantSource.system()).start();
        opened("audit log", audit);
        Gauges.gauge(
                registry,
                "talos_audit_entries_lost",
                "Entries that are missing in the audit log, because it could not be written.",
                audit::lost);
        return audit;
    }

    private AccessLog access(HttpServer server, CollectorRegistry registry) throws IOException {
        AccessFile.Config file = config.logs().access();
        if (file == null) {
            return AccessLog.NONE;
        }
        AccessFile access = new AccessFile(file, InstantSource.system()).start();
        opened("access log", access);
        server.noteAll(access);
        started(ops).noteCalls(access);
        Gauges.counter(
                registry,
                "talos_access_entries_lost_total",
                "Entries that are missing in the access log, because it could not be written, or not as fast.",
                access::lost);
        return access;
    }

    private Tracing tracing(CollectorRegistry registry) {
        OtelTracing.Config collector = config.logs().tracing();
        if (collector == null) {
            return Tracing.OFF;
        }
        OtelTracing tracing =
                new OtelTracing(collector, config.hosting().hostName(), System::nanoTime, InstantSource.system());
        opened("traces", tracing);
        Gauges.counter(
                registry,
                "talos_spans_lost_total",
                "Spans that the collector of traces did not get, because there were too many, or it did not take them.",
                tracing::lost);
        return tracing;
    }

    private @Nullable TlsListener tls(CollectorRegistry registry) {
        TlsConfig tls = config.tls();
        return tls == null
                ? null
                : new TlsListener(tls, System::nanoTime, InstantSource.system(), new TlsMetrics(registry));
    }

    /** The certificate of clients, at the operations port; what is counted of it is counted at theirs. */
    private @Nullable TlsListener opsTls() {
        TlsConfig tls = config.tls();
        if (tls == null || !config.ops().tls()) {
            return null;
        }
        return new TlsListener(
                tls.elsewhere(config.ops().listen().port()),
                System::nanoTime,
                InstantSource.system(),
                new TlsMetrics(new CollectorRegistry()));
    }

    private @Nullable Authenticator authenticator() {
        GatewayWiring parts = wiring;
        return parts == null ? null : parts.authenticator;
    }

    /** The JSON interface for the operations port, which is open before the HTTP port. */
    private Request.Handler api() {
        GatewayWiring parts = wiring;
        return parts == null || endpoint.isEmpty() ? STARTING : parts.rest;
    }

    /** What other hosts and clients are told; see {@link HostAddress#endpoint}. */
    private String endpoint(HttpServer server) throws UnknownHostException {
        TlsConfig tls = config.tls();
        String host = config.http().host();
        return config.http().enabled() || tls == null
                ? address(config.advertise(), host, server.port())
                : "https://" + address(tls.advertise(), host, server.tlsPort());
    }

    private String urls(HttpServer server) {
        List<String> urls = new ArrayList<>();
        if (server.port() >= 0) {
            urls.add("http://%s:%d".formatted(config.http().host(), server.port()));
        }
        if (server.tlsPort() >= 0) {
            urls.add("https://%s:%d".formatted(config.http().host(), server.tlsPort()));
        }
        return String.join(" and ", urls);
    }

    /** Null for a host that is alone. */
    private @Nullable HostIdentity identity(String clusterId, ZooKeeperCoordination coordination) throws IOException {
        if (config.isAlone()) {
            return null;
        }
        String configured = config.cluster().secret();
        String secret = configured == null ? coordination.clusterSecret() : configured;
        if (secret == null) {
            throw new IOException(
                    "This cluster has no secret in ZooKeeper, because its first host had a peer.secret: give all its hosts the same one.");
        }
        return new HostIdentity(clusterId, config.hosting().hostName(), new ClusterSecret(secret));
    }

    private void startTokens(GatewayWiring parts) throws IOException {
        GatewayWiring.Tokens tokens = parts.tokens;
        if (tokens == null) {
            return;
        }
        opened("token keys", tokens.thread()::shutdownNow);
        try {
            tokens.start();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while the keys of the token issuer were read");
        }
    }

    /** Before other hosts hear of this one. */
    private void startPeers(GatewayWiring parts) throws IOException {
        GatewayWiring.Peers peers = parts.peers;
        if (peers == null) {
            return;
        }
        HostTls tls = peers.tls();
        if (tls != null) {
            opened("certificates of hosts", tls.start());
        }
        peers.server().bind();
        opened("peer port", peers.server()::stop);
        peers.server().start();
        peers.forwarder().start();
        opened("connections to other hosts", peers.forwarder());
        peers.quotas().start();
        opened("exchange of used quotas", peers.quotas());
        peerAddress = address(
                config.cluster().advertise(),
                config.peer().host(),
                peers.server().port());
        log.info("Other hosts reach this one at {}", peerAddress);
    }

    private static String address(@Nullable String advertise, String host, int port) throws UnknownHostException {
        if (advertise != null) {
            return advertise;
        }
        boolean any = InetAddress.getByName(host).isAnyLocalAddress();
        return (any ? InetAddress.getLocalHost().getHostAddress() : host) + ":" + port;
    }

    private void opened(String name, AutoCloseable closeable) {
        started.push(new Step(name, closeable::close));
    }

    private static void endThreads(GatewayWiring parts) throws InterruptedException {
        Deadline now = Deadline.at(parts.clock.nanoTime());
        parts.putPool.drain(now);
        parts.getPool.drain(now);
        parts.controlPool.drain(now);
        parts.keyChanges.shutdown();
        parts.largeWork.shutdown();
        parts.answers.shutdown();
        parts.timer.close();
    }

    /** Lets partitions go to other hosts, and load balancers look away; requests are still served. */
    private void leave(GatewayWiring parts) throws InterruptedException {
        Deadline notice = Deadline.after(parts.clock, config.cluster().stopNotice());
        parts.hosting.announce(config.cluster().onStop(), config.cluster().stopTimeout());
        TimeUnit.NANOSECONDS.sleep(notice.remainingNanos(parts.clock.nanoTime()));
    }

    /** Refuses new requests and waits for those under way. */
    private void drain(GatewayWiring parts, HttpServer server) throws InterruptedException {
        parts.admission.drain();
        server.stopAccepting();
        parts.streams.close();
        Deadline deadline = Deadline.after(parts.clock, config.drainTimeout());
        int underWay = parts.admission.requestsInFlight();
        if (underWay > 0) {
            log.info("Waiting up to {} s for {} requests", config.drainTimeout().toSeconds(), underWay);
        }
        while (parts.admission.requestsInFlight() > 0 && !deadline.hasPassed(parts.clock.nanoTime())) {
            TimeUnit.MILLISECONDS.sleep(POLL_MS);
        }
    }

    private Readiness.Status readiness() {
        GatewayWiring parts = wiring;
        String refusal = parts == null ? null : parts.hosting.whyRefusing();
        if (refusal != null) {
            return new Readiness.Status(false, refusal);
        }
        if (stopping || parts == null || parts.hosting.state() != HostingState.SERVING) {
            String hosting = parts == null ? "" : " (hosting: " + parts.hosting.state() + ")";
            return new Readiness.Status(false, (stopping ? "stopping" : status) + hosting);
        }
        String withoutLease = parts.hosting.whyWithoutLease();
        if (withoutLease != null) {
            return new Readiness.Status(
                    false, status + ", but cannot tell where partitions end, because " + withoutLease);
        }
        if (parts.admission.isStuck()) {
            return new Readiness.Status(false, "overloaded: every request is refused, and none ends");
        }
        if (!warmUp.isOver()) {
            return new Readiness.Status(false, "warming up");
        }
        String keys = parts.keys.whyBroken() == null
                ? ""
                : ", but the key file cannot be read: keys are as they were before, also those removed since";
        return new Readiness.Status(status.equals("serving"), status + keys);
    }

    private boolean isServing() {
        GatewayWiring parts = wiring;
        return parts != null && parts.hosting.state() == HostingState.SERVING;
    }

    boolean isReady() {
        return readiness().ready();
    }

    /** The port that clients use for plain HTTP; -1 if there is none. */
    public int port() {
        return started(main).port();
    }

    /** The port that clients use for TLS; -1 if there is none. */
    public int tlsPort() {
        return started(main).tlsPort();
    }

    /** The port for health and metrics. */
    public int opsPort() {
        HttpServer server = started(ops);
        return config.ops().tls() ? server.tlsPort() : server.port();
    }

    private static HttpServer started(@Nullable HttpServer server) {
        if (server == null) {
            throw new IllegalStateException("not started");
        }
        return server;
    }

    /** The number of this host's incarnation: it rises when the ZooKeeper session was lost. */
    long incarnation() {
        GatewayWiring parts = wiring;
        return parts == null ? 0 : parts.hosting.incarnationNumber();
    }

    /** Stops: readiness first, then new requests, then those under way, then everything else. */
    @Override
    public synchronized void close() {
        stopping = true;
        while (!started.isEmpty()) {
            Step step = started.pop();
            try {
                log.debug("Closing {}", step.name);
                step.closing.close();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (Exception e) {
                log.warn("Closing the {} was not clean: {}", step.name, e.toString());
            }
        }
    }
}
