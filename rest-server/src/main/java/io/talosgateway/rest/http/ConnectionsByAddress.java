package io.talosgateway.rest.http;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes a connection as soon as it is accepted if its address has too many, so that one address cannot take all of them. Safe
 * for use by any thread.
 */
final class ConnectionsByAddress implements Connection.Listener {

    private static final Logger log = LoggerFactory.getLogger(ConnectionsByAddress.class);

    private final int most;
    /** A socket that is closed does not know its address any more. */
    private final Map<Connection, InetAddress> connections = new ConcurrentHashMap<>();

    private final Map<InetAddress, Integer> numbers = new ConcurrentHashMap<>();
    private final LongAdder refused = new LongAdder();

    /** @param most connections of one address */
    ConnectionsByAddress(int most) {
        this.most = most;
    }

    @Override
    public void onOpened(Connection connection) {
        // The connection of TLS, around that of HTTP, is counted.
        if (connection.getEndPoint() instanceof SslConnection.SslEndPoint
                || !(connection.getEndPoint().getRemoteSocketAddress() instanceof InetSocketAddress remote)) {
            return;
        }
        InetAddress address = remote.getAddress();
        connections.put(connection, address);
        if (numbers.merge(address, 1, Integer::sum) > most) {
            refused.increment();
            log.debug("Closing a connection of {}, which has {} already", address, most);
            connection.getEndPoint().close();
        }
        // It may have been closed before, and nobody would be told again.
        if (!connection.getEndPoint().isOpen()) {
            onClosed(connection);
        }
    }

    @Override
    public void onClosed(Connection connection) {
        InetAddress address = connections.remove(connection);
        if (address != null) {
            numbers.computeIfPresent(address, (known, number) -> number == 1 ? null : number - 1);
        }
    }

    /** Connections that were closed because their address had too many. */
    long refused() {
        return refused.sum();
    }
}
