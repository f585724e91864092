package io.talosgateway.rest.http;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.talosgateway.scheduler.NanoClock;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes connections whose client sends the headers of a request too slowly. Jetty's idle timeout does not: every byte
 * starts it anew. {@link #sweep} is to be called regularly. Safe for use by any thread.
 */
public final class SlowHeaderGuard implements Connection.Listener {

    private static final Logger log = LoggerFactory.getLogger(SlowHeaderGuard.class);

    private final NanoClock clock;
    private final long headerTimeoutNanos;
    private final Map<Connection, Progress> connections = new ConcurrentHashMap<>();

    public SlowHeaderGuard(NanoClock clock, Duration headerTimeout) {
        this.clock = clock;
        this.headerTimeoutNanos = headerTimeout.toNanos();
    }

    /** What a connection had received when it was looked at, and since when it has received headers only. */
    private record Progress(long messagesIn, long bytesIn, long sinceNanos, boolean inHeaders) {}

    @Override
    public void onOpened(Connection connection) {
        // The connection of HTTP that is inside it is told of, too.
        if (connection instanceof SslConnection) {
            return;
        }
        connections.put(connection, new Progress(0, 0, clock.nanoTime(), false));
        // Somebody who closes a connection while it is being opened may have been faster: nobody would be told again.
        if (!connection.getEndPoint().isOpen()) {
            connections.remove(connection);
        }
    }

    @Override
    public void onClosed(Connection connection) {
        connections.remove(connection);
    }

    /** Connections that are open. */
    public int open() {
        return connections.size();
    }

    /** Looks at every connection. */
    public void sweep() {
        long nowNanos = clock.nanoTime();
        connections.replaceAll((connection, before) -> lookAt(connection, before, nowNanos));
    }

    private Progress lookAt(Connection connection, Progress before, long nowNanos) {
        long messagesIn = connection.getMessagesIn();
        long bytesIn = connection.getBytesIn();
        boolean between = messagesIn == before.messagesIn && messagesIn <= connection.getMessagesOut();
        if (between && before.inHeaders) {
            if (nowNanos - before.sinceNanos > headerTimeoutNanos) {
                log.info("Closing {}: its request's headers took too long", connection.getEndPoint());
                connection.getEndPoint().close();
            }
            return before;
        }
        return new Progress(messagesIn, bytesIn, nowNanos, between && bytesIn > before.bytesIn);
    }
}
