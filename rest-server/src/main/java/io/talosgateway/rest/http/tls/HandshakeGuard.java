package io.talosgateway.rest.http.tls;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import javax.net.ssl.SSLEngine;

import io.talosgateway.scheduler.NanoClock;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.eclipse.jetty.io.ssl.SslHandshakeListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Bounds handshakes in time and number: a connection that sends nothing, or speaks something else, must not keep others out.
 * {@link #sweep} is to be called regularly. Safe for use by any thread.
 */
public final class HandshakeGuard implements Connection.Listener, SslHandshakeListener {

    private static final Logger log = LoggerFactory.getLogger(HandshakeGuard.class);

    private final NanoClock clock;
    private final long timeoutNanos;
    private final int max;
    private final TlsMetrics metrics;
    /** Whoever takes one out counts its outcome. */
    private final Map<SSLEngine, UnderWay> handshakes = new ConcurrentHashMap<>();

    public HandshakeGuard(NanoClock clock, Duration timeout, int max, TlsMetrics metrics) {
        this.clock = clock;
        this.timeoutNanos = timeout.toNanos();
        this.max = max;
        this.metrics = metrics;
        metrics.watchHandshakes(handshakes::size);
    }

    private record UnderWay(SslConnection connection, long sinceNanos) {}

    @Override
    public void onOpened(Connection connection) {
        if (!(connection instanceof SslConnection tls)) {
            return;
        }
        handshakes.put(tls.getSSLEngine(), new UnderWay(tls, clock.nanoTime()));
        if (handshakes.size() > max && ended(tls.getSSLEngine(), "refused")) {
            log.debug("Closing {}: {} handshakes are under way", tls.getEndPoint(), max);
            tls.getEndPoint().close();
        }
    }

    @Override
    public void onClosed(Connection connection) {
        if (connection instanceof SslConnection tls) {
            ended(tls.getSSLEngine(), "failed");
        }
    }

    @Override
    public void handshakeSucceeded(Event event) {
        ended(event.getSSLEngine(), "done");
    }

    @Override
    public void handshakeFailed(Event event, Throwable failure) {
        if (ended(event.getSSLEngine(), "failed")) {
            log.debug("The handshake with {} failed: {}", event.getEndPoint(), failure.toString());
        }
    }

    private boolean ended(SSLEngine engine, String outcome) {
        if (handshakes.remove(engine) == null) {
            return false;
        }
        metrics.handshake(outcome);
        return true;
    }

    /** Closes connections whose handshake takes too long. */
    public void sweep() {
        long nowNanos = clock.nanoTime();
        handshakes.forEach((engine, underWay) -> {
            if (nowNanos - underWay.sinceNanos > timeoutNanos && ended(engine, "timeout")) {
                log.debug("Closing {}: its handshake took too long", underWay.connection.getEndPoint());
                underWay.connection.getEndPoint().close();
            }
        });
    }
}
