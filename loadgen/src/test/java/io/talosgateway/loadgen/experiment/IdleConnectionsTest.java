package io.talosgateway.loadgen.experiment;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Timeout(20)
final class IdleConnectionsTest {

    private static final byte[] ANSWER =
            "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private final AtomicInteger answered = new AtomicInteger();
    private final List<Socket> sockets = new ArrayList<>();
    private ServerSocket server;

    /** After so many connections, each further one is closed at once. */
    private volatile int taken = Integer.MAX_VALUE;

    @BeforeEach
    void start() throws IOException {
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread thread = new Thread(this::serve, "stub");
        thread.setDaemon(true);
        thread.start();
    }

    @AfterEach
    void stop() throws IOException {
        server.close();
    }

    private void serve() {
        try {
            while (true) {
                Socket socket = server.accept();
                if (answered.get() == taken) {
                    socket.close();
                    continue;
                }
                sockets.add(socket);
                socket.getInputStream().read(new byte[1024]);
                // Before the client has its answer, and looks.
                answered.incrementAndGet();
                socket.getOutputStream().write(ANSWER);
            }
        } catch (IOException e) {
            // The test is over.
        }
    }

    private URI endpoint() {
        return URI.create("http://127.0.0.1:" + server.getLocalPort());
    }

    @Test
    void requestIsAnsweredOnEachConnection() throws IOException {
        try (IdleConnections idle = new IdleConnections()) {
            idle.open(endpoint(), 5);

            assertThat(answered.get()).isEqualTo(5);
        }
    }

    @Test
    void serverThatTakesNoMoreIsSaid() throws IOException {
        taken = 3;
        try (IdleConnections idle = new IdleConnections()) {
            assertThatThrownBy(() -> idle.open(endpoint(), 5)).isInstanceOf(IOException.class);
        }
    }

    @Test
    void fewerAreOpenedThanTheSystemAllows() {
        assertThat(IdleConnections.atMost(1)).isEqualTo(1);
        assertThat(IdleConnections.atMost(Integer.MAX_VALUE)).isLessThan(Integer.MAX_VALUE);
    }
}
