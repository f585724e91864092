package io.talosgateway.rest.peer;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

import javax.net.ssl.SSLEngine;

import io.prometheus.client.CollectorRegistry;
import io.talosgateway.rest.admission.AdmissionController;
import io.talosgateway.rest.hostprotocol.HostIdentity;
import io.talosgateway.rest.partition.PartitionService;
import io.talosgateway.rest.requestlog.RequestLogs;
import io.talosgateway.rest.topic.UsedQuota;
import io.talosgateway.scheduler.DeadlineTimer;
import io.talosgateway.scheduler.NanoClock;
import org.apache.thrift.protocol.TCompactProtocol;
import org.apache.thrift.server.TNonblockingServer;
import org.apache.thrift.transport.TTransportFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The port at which other hosts hand on requests. One thread, libthrift's, reads, writes and begins calls; none waits for a
 * call to be done. Methods are for one thread.
 */
public final class PeerServer {

    private static final Logger log = LoggerFactory.getLogger(PeerServer.class);
    private static final long STOP_SECONDS = 10;

    private final PeerConfig config;
    private final HostIdentity self;
    private final LongSupplier incarnation;
    private final RegisteredHosts registered;
    private final RandomGenerator random;
    private final Connections connections;
    private final PeerProcessor processor;
    private volatile boolean stopping;
    private @Nullable PeerPort port;
    private @Nullable TNonblockingServer server;
    private @Nullable Thread thread;

    /**
     * Starts no thread and opens no port.
     *
     * @param self who this host is
     * @param incarnation under which other hosts find this one, at present
     * @param registered who may call
     * @param partitions what it serves itself
     * @param quotas is told what clients of other hosts have used; must not block
     * @param random must not be predictable
     * @param tls makes the TLS of a connection; null for clear text
     * @param logs where requests are noted
     */
    public PeerServer(
            PeerConfig config,
            HostIdentity self,
            LongSupplier incarnation,
            RegisteredHosts registered,
            PartitionService partitions,
            Consumer<List<UsedQuota>> quotas,
            AdmissionController admission,
            DeadlineTimer timer,
            NanoClock clock,
            RandomGenerator random,
            @Nullable Supplier<SSLEngine> tls,
            RequestLogs logs,
            CollectorRegistry registry) {
        this.config = config;
        this.self = self;
        this.incarnation = incarnation;
        this.registered = registered;
        this.random = random;
        PeerMetrics metrics = new PeerMetrics(registry);
        this.connections = new Connections(config, timer, clock, tls, metrics);
        this.processor = new PeerProcessor(
                new PeerCalls(partitions, quotas, admission, clock, config), connections, metrics, logs);
    }

    /**
     * Takes the port; who connects waits until the server starts.
     *
     * @throws IOException with a sentence for the operator if it cannot
     */
    public void bind() throws IOException {
        port = PeerPort.bind(connections, () -> new OwnerHandshake(self, incarnation.getAsLong(), registered, random));
    }

    /** The port that it listens at; it must be bound. */
    public int port() {
        return bound().port();
    }

    private PeerPort bound() {
        PeerPort opened = port;
        if (opened == null) {
            throw new IllegalStateException("not bound");
        }
        return opened;
    }

    /** Connections that are open. */
    int openConnections() {
        return connections.open();
    }

    /** Those that have not proved yet. */
    int strangers() {
        return connections.strangers();
    }

    /** Serves; it must be bound. */
    public void start() {
        TNonblockingServer.Args arguments = new TNonblockingServer.Args(bound());
        arguments.maxReadBufferBytes = config.maxUnanswered().toBytes();
        // The server's own framing would copy each frame once more; the processor looks into the buffer itself.
        TTransportFactory asItIs = new TTransportFactory();
        arguments.inputTransportFactory(asItIs).outputTransportFactory(asItIs);
        arguments.protocolFactory(new TCompactProtocol.Factory());
        arguments.processor(processor);
        TNonblockingServer created = new TNonblockingServer(arguments);
        server = created;
        Thread started = new Thread(() -> serve(created), "peer");
        started.setDaemon(true);
        started.start();
        thread = started;
    }

    private void serve(TNonblockingServer created) {
        created.serve();
        if (!stopping) {
            log.error("The peer port has ended: other hosts cannot hand requests to this one until it is restarted");
        }
    }

    /** Closes the port and all connections; what is under way is not answered. Returns when the thread has ended. */
    public void stop() throws InterruptedException {
        stopping = true;
        TNonblockingServer running = server;
        Thread serving = thread;
        if (running != null && serving != null) {
            running.stop();
            serving.join(TimeUnit.SECONDS.toMillis(STOP_SECONDS));
        }
        PeerPort opened = port;
        if (opened != null) {
            opened.close();
        }
    }
}
