package io.talosgateway.rest.http;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.talosgateway.rest.Await;
import io.talosgateway.rest.bootstrap.TestGateway;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** One address has some of the connections, not all. */
final class ConnectionsIT {

    private static final int MOST = 3;

    @TempDir
    Path directory;

    private static Socket connect(TestGateway gateway, int client) throws IOException {
        Socket socket = new Socket();
        socket.bind(new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) client}), 0));
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), gateway.port()));
        return socket;
    }

    private static boolean isServed(Socket socket) throws IOException {
        try {
            socket.getOutputStream().write("HEAD / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));
            byte[] line = socket.getInputStream().readNBytes(15);
            return new String(line, StandardCharsets.ISO_8859_1).equals("HTTP/1.1 200 OK");
        } catch (SocketException e) {
            return false;
        }
    }

    @Test
    void furtherConnectionsOfAnAddressAreClosedUntilOthersEnd() throws Exception {
        try (TestGateway gateway = TestGateway.start(
                directory, Map.of("http.host", "0.0.0.0", "http.max-connections-per-address", "" + MOST))) {
            for (int round = 1; round <= 3; round++) {
                List<Socket> sockets = new ArrayList<>();
                for (int index = 0; index < MOST; index++) {
                    Socket socket = connect(gateway, 1);
                    sockets.add(socket);
                    assertThat(isServed(socket)).isTrue();
                }
                for (int index = 0; index < MOST; index++) {
                    try (Socket socket = connect(gateway, 1)) {
                        assertThat(isServed(socket)).isFalse();
                    }
                }
                assertThat(gateway.metric("talos_connections_refused_total")).isEqualTo(round * MOST);
                try (Socket other = connect(gateway, 2)) {
                    assertThat(isServed(other)).isTrue();
                }
                for (Socket socket : sockets) {
                    socket.close();
                }
                Await.asLongAs(() -> gateway.metric("talos_connections") > 0);
            }
        }
    }
}
