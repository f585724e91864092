package io.talosgateway.rest.http;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.google.common.base.Throwables;
import io.talosgateway.rest.http.tls.TlsListener;
import io.talosgateway.rest.requestlog.AccessLog;
import io.talosgateway.scheduler.NanoClock;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.PreEncodedHttpField;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.jspecify.annotations.Nullable;

/**
 * A Jetty server: one listener for plain HTTP, one for TLS, or both. Threads and the limit of connections are for both together.
 */
public final class HttpServer {

    /** Most bytes of the request line and the headers. */
    public static final int MAX_HEAD_BYTES = 8 * 1024;

    /** Browsers take answers for what the gateway says they are, and for nothing else. */
    public static final HttpField NO_SNIFFING = new PreEncodedHttpField("X-Content-Type-Options", "nosniff");

    private static final long SWEEP_SECONDS = 1;
    /** One in so many threads selects connections of a port, and serves their requests. */
    private static final int THREADS_FOR_SELECTOR = 4;
    /** More than one: other threads keep the cores busy too, and requests would wait long until they are read. */
    private static final int MAX_SELECTORS_PER_CORE = 2;

    private final HttpConfig config;
    private final NanoClock clock;
    private final Server server;
    private final @Nullable ServerConnector plain;
    private final @Nullable ServerConnector secure;
    private final @Nullable TlsListener tls;
    private final SlowHeaderGuard slowHeaders;
    private final ConnectionsByAddress byAddress;
    private final ScheduledExecutorService sweeper;

    /** Has all requests of this server noted, also those that no handler sees; before it starts. */
    public void noteAll(AccessLog log) {
        server.setRequestLog(new AccessRequestLog(log));
    }

    /** Has requests of the interfaces for clients noted, and no others. */
    public void noteCalls(AccessLog log) {
        AccessRequestLog all = new AccessRequestLog(log);
        server.setRequestLog((request, response) -> {
            if (Exchange.of(request) != null) {
                all.log(request, response);
            }
        });
    }

    /** @param tls null for plain HTTP only */
    public HttpServer(String name, HttpConfig config, @Nullable TlsListener tls, NanoClock clock) {
        this.config = config;
        this.clock = clock;
        this.tls = tls;
        this.server = new Server(new HttpThreads(name, config.threads()));
        this.slowHeaders = new SlowHeaderGuard(clock, config.headerTimeout());
        this.byAddress = new ConnectionsByAddress(config.maxConnectionsPerAddress());
        this.plain = config.enabled() ? connector(config.port(), new HttpConnectionFactory(http())) : null;
        this.secure = tls == null ? null : secure(tls);
        server.addBean(new NetworkConnectionLimit(
                config.maxConnections(),
                Stream.of(plain, secure).filter(Objects::nonNull).toArray(ServerConnector[]::new)));
        this.sweeper = Executors.newScheduledThreadPool(tls == null ? 1 : 2, task -> {
            Thread thread = new Thread(task, name + "-sweeper");
            thread.setDaemon(true);
            return thread;
        });
    }

    private static HttpConfiguration http() {
        HttpConfiguration http = new HttpConfiguration();
        http.setSendServerVersion(false);
        http.setSendDateHeader(true);
        http.setRequestHeaderSize(MAX_HEAD_BYTES);
        http.setOutputBufferSize(64 * 1024);
        // A request with a body holds its buffer until it is answered. A put of 10 KiB comes in one read.
        http.setInputBufferSize(16 * 1024);
        // A connection's cache of header fields is a table of 100 KB: more than everything else that a waiting get
        // holds.
        http.setHeaderCacheSize(0);
        http.addCustomizer((request, headers) -> {
            headers.put(NO_SNIFFING);
            return request;
        });
        return http;
    }

    private ServerConnector secure(TlsListener listener) {
        HttpConfiguration http = http();
        // There is one certificate, whatever name the client calls this host by: to check the name is the client's
        // part.
        http.addCustomizer(new SecureRequestCustomizer(false));
        http.setUseInputDirectByteBuffers(listener.usesDirectBuffers());
        http.setUseOutputDirectByteBuffers(listener.usesDirectBuffers());
        http.setInputBufferSize(TlsListener.REQUEST_BUFFER_BYTES);
        ServerConnector connector =
                connector(listener.config().port(), listener.connections(), new HttpConnectionFactory(http));
        connector.addBean(listener.handshakes());
        return connector;
    }

    static int selectors(int threads, int cores) {
        return Math.max(1, Math.min(threads / THREADS_FOR_SELECTOR, MAX_SELECTORS_PER_CORE * cores));
    }

    private ServerConnector connector(int port, ConnectionFactory... factories) {
        ServerConnector connector = new FairConnector(
                server, selectors(config.threads(), Runtime.getRuntime().availableProcessors()), clock, factories);
        connector.setHost(config.host());
        connector.setPort(port);
        connector.setIdleTimeout(config.idleTimeout().toMillis());
        connector.setAcceptQueueSize(1024);
        connector.addBean(slowHeaders);
        connector.addBean(byAddress);
        server.addConnector(connector);
        return connector;
    }

    /**
     * Finds out whether the ports can be had and the certificate can be used. The ports stay closed: a client that connects to a
     * port at which nobody answers yet would wait.
     *
     * @throws IOException with a sentence for the operator if not
     */
    public void check() throws IOException {
        if (tls != null) {
            tls.open();
            checkPort(tls.config().port());
        }
        if (plain != null) {
            checkPort(config.port());
        }
    }

    private void checkPort(int port) throws IOException {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getByName(config.host()), port));
        } catch (IOException e) {
            throw cannotListen(Integer.toString(port), e);
        }
    }

    private IOException cannotListen(String ports, Throwable reason) {
        return new IOException(
                "Cannot listen at %s:%s (%s). Stop whoever uses the port, or name another address or port."
                        .formatted(config.host(), ports, reason.getMessage()),
                reason);
    }

    /**
     * Takes the ports and begins to accept connections. With TLS, after {@link #check}.
     *
     * @param errors answers what Jetty itself refuses
     * @throws IOException with a sentence for the operator if a port is in use
     */
    public void start(Handler handler, Request.Handler errors) throws IOException {
        server.setHandler(handler);
        // The handler stays the same, so that its word on whether it blocks can be relied on.
        server.setDynamic(false);
        server.setErrorHandler(errors);
        try {
            server.start();
        } catch (Exception e) {
            for (Throwable cause : Throwables.getCausalChain(e)) {
                if (cause instanceof BindException) {
                    throw cannotListen(ports(), cause);
                }
            }
            throw new IOException("The HTTP server does not start: " + e.getMessage(), e);
        }
        sweeper.scheduleWithFixedDelay(slowHeaders::sweep, SWEEP_SECONDS, SWEEP_SECONDS, TimeUnit.SECONDS);
        if (tls != null) {
            sweeper.scheduleWithFixedDelay(tls.handshakes()::sweep, SWEEP_SECONDS, SWEEP_SECONDS, TimeUnit.SECONDS);
            long intervalMs = tls.config().reloadInterval().toMillis();
            sweeper.scheduleWithFixedDelay(tls::look, intervalMs, intervalMs, TimeUnit.MILLISECONDS);
        }
    }

    private String ports() {
        return Stream.of(plain, secure)
                .filter(Objects::nonNull)
                .map(connector -> Integer.toString(connector.getPort()))
                .collect(Collectors.joining(" or "));
    }

    /** The port of plain HTTP that it listens at; -1 if it does not. */
    public int port() {
        return plain == null ? -1 : plain.getLocalPort();
    }

    /** The port of TLS that it listens at; -1 if it does not. */
    public int tlsPort() {
        return secure == null ? -1 : secure.getLocalPort();
    }

    /** Connections that are open. */
    public int connections() {
        return slowHeaders.open();
    }

    /** Connections that were closed because their address had too many. */
    public long refusedConnections() {
        return byAddress.refused();
    }

    /** Takes no more connections; those that are open go on. */
    public void stopAccepting() {
        Stream.of(plain, secure).filter(Objects::nonNull).forEach(ServerConnector::close);
    }

    public void stop() throws IOException {
        sweeper.shutdownNow();
        try {
            server.stop();
        } catch (Exception e) {
            throw new IOException("The HTTP server does not stop: " + e.getMessage(), e);
        }
    }
}
