package io.talosgateway.rest.http;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import com.google.common.base.Throwables;
import io.talosgateway.scheduler.NanoClock;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/** A Jetty server with one connector. */
public final class HttpServer {

    private static final long SWEEP_SECONDS = 1;

    private final HttpConfig config;
    private final Server server;
    private final ServerConnector connector;
    private final SlowHeaderGuard slowHeaders;
    private final ScheduledExecutorService sweeper;

    public HttpServer(String name, HttpConfig config, NanoClock clock) {
        this.config = config;
        this.server = new Server(new HttpThreads(name, config.threads()));
        HttpConfiguration http = new HttpConfiguration();
        http.setSendServerVersion(false);
        http.setSendDateHeader(true);
        http.setOutputBufferSize(64 * 1024);
        http.setInputBufferSize(32 * 1024);
        // A connection's cache of header fields is a table of 100 KB: more than everything else that a waiting get
        // holds.
        http.setHeaderCacheSize(0);
        this.connector = new ServerConnector(server, 1, -1, new HttpConnectionFactory(http));
        connector.setHost(config.host());
        connector.setPort(config.port());
        connector.setIdleTimeout(config.idleTimeout().toMillis());
        connector.setAcceptQueueSize(1024);
        this.slowHeaders = new SlowHeaderGuard(clock, config.headerTimeout());
        connector.addBean(slowHeaders);
        server.addConnector(connector);
        server.addBean(new NetworkConnectionLimit(config.maxConnections(), connector));
        this.sweeper = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, name + "-sweeper");
            thread.setDaemon(true);
            return thread;
        });
    }

    /**
     * Finds out whether the port can be had, and leaves it closed: a client that connects to a port at which nobody answers yet
     * would wait.
     *
     * @throws IOException with a sentence for the operator if the port is in use
     */
    public void checkPort() throws IOException {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getByName(config.host()), config.port()));
        } catch (IOException e) {
            throw cannotListen(e);
        }
    }

    private IOException cannotListen(Throwable reason) {
        return new IOException(
                "Cannot listen at %s:%d (%s). Stop whoever uses the port, or name another address or port."
                        .formatted(config.host(), config.port(), reason.getMessage()),
                reason);
    }

    /**
     * Takes the port and begins to accept connections.
     *
     * @param errors answers what Jetty itself refuses
     * @throws IOException with a sentence for the operator if the port is in use
     */
    public void start(Handler handler, Request.Handler errors) throws IOException {
        server.setHandler(handler);
        server.setErrorHandler(errors);
        try {
            server.start();
        } catch (Exception e) {
            for (Throwable cause : Throwables.getCausalChain(e)) {
                if (cause instanceof BindException) {
                    throw cannotListen(cause);
                }
            }
            throw new IOException("The HTTP server does not start: " + e.getMessage(), e);
        }
        sweeper.scheduleWithFixedDelay(slowHeaders::sweep, SWEEP_SECONDS, SWEEP_SECONDS, TimeUnit.SECONDS);
    }

    /** The port it listens at. */
    public int port() {
        return connector.getLocalPort();
    }

    /** Connections that are open. */
    public int connections() {
        return slowHeaders.open();
    }

    /** Takes no more connections; those that are open go on. */
    public void stopAccepting() {
        connector.close();
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
