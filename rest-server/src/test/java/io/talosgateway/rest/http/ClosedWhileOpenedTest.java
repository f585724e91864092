package io.talosgateway.rest.http;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;

import org.eclipse.jetty.io.AbstractConnection;
import org.eclipse.jetty.io.ByteArrayEndPoint;
import org.eclipse.jetty.io.Connection;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Jetty may tell of the end of a connection before its beginning, if another listener closes it. */
final class ClosedWhileOpenedTest {

    private final SlowHeaderGuard slowHeaders = new SlowHeaderGuard(() -> 0, Duration.ofSeconds(1));

    private static Connection connection() {
        ByteArrayEndPoint endPoint = new ByteArrayEndPoint() {
            @Override
            public SocketAddress getRemoteSocketAddress() {
                return new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
            }
        };
        return new AbstractConnection(endPoint, Runnable::run) {
            @Override
            public void onFillable() {
                throw new AssertionError("nothing arrives");
            }
        };
    }

    @Test
    void connectionThatEndedBeforeItBeganIsNotCounted() {
        Connection connection = connection();
        connection.getEndPoint().close();
        slowHeaders.onClosed(connection);
        slowHeaders.onOpened(connection);

        assertThat(slowHeaders.open()).isZero();
    }

    @Test
    void placeOfAConnectionThatEndedBeforeItBeganIsGivenBack() {
        ConnectionsByAddress byAddress = new ConnectionsByAddress(1);
        for (int round = 0; round < 3; round++) {
            Connection connection = connection();
            connection.getEndPoint().close();
            byAddress.onClosed(connection);
            byAddress.onOpened(connection);
        }
        byAddress.onOpened(connection());

        assertThat(byAddress.refused()).isZero();
    }
}
