package io.talosgateway.loadgen.http;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Requests that are not answered as they should be. */
final class ConnectionTest {

    private static final long PATIENCE_NANOS = TimeUnit.HOURS.toNanos(1);

    private ServerSocket server;
    private Connection connection;

    @BeforeEach
    void listen() throws Exception {
        server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        connection = new Connection(
                new InetSocketAddress(server.getInetAddress(), server.getLocalPort()),
                PATIENCE_NANOS,
                HttpAnswer.keepingBodies(100));
    }

    @AfterEach
    void close() throws Exception {
        connection.close();
        server.close();
    }

    private static ByteBuffer[] request() {
        return new ByteBuffer[] {ByteBuffer.wrap(new byte[] {'x'})};
    }

    /** Answers the requests of one connection, a byte each, one after another. */
    private CompletableFuture<Socket> answer(String... answers) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                Socket socket = server.accept();
                for (String answer : answers) {
                    assertThat(socket.getInputStream().read()).isEqualTo('x');
                    socket.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
                }
                return socket;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    @Test
    void requestThatIsNotAnsweredIsGivenUpAndTheNextIsNot() throws Exception {
        CompletableFuture<Socket> silent = answer();
        CompletableFuture<Void> givenUp = new CompletableFuture<>();
        CompletableFuture<Void> request = CompletableFuture.runAsync(() -> {
            assertThatThrownBy(() -> connection.exchange(request())).isInstanceOf(SocketTimeoutException.class);
            givenUp.complete(null);
        });
        // What is not due yet is left alone; from then on, until it is seen.
        connection.giveUpIfDue(System.nanoTime());
        try (Socket socket = silent.get()) {
            assertThat(socket.getInputStream().read()).isEqualTo('x');
            assertThat(givenUp).isNotDone();
            connection.giveUpIfDue(System.nanoTime() + 2 * PATIENCE_NANOS);
            request.get();
        }

        CompletableFuture<Socket> answered = answer("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi");
        assertThat(connection.exchange(request()).body()).asString().isEqualTo("hi");
        connection.giveUpIfDue(System.nanoTime() + 2 * PATIENCE_NANOS);
        answered.get().close();
    }

    @Test
    void serverThatAnswersTwiceIsFound() throws Exception {
        String answer = "HTTP/1.1 204 OK\r\n\r\n";
        CompletableFuture<Socket> twice = answer(answer + answer);

        assertThatThrownBy(() -> connection.exchange(request()))
                .isInstanceOf(IOException.class)
                .hasMessage("The server sent more than its answer");
        twice.get().close();
    }

    @Test
    void bodyThatIsTooLargeIsNotKept() throws Exception {
        CompletableFuture<Socket> large = answer("HTTP/1.1 200 OK\r\nContent-Length: 101\r\n\r\n" + "a".repeat(101));

        assertThatThrownBy(() -> connection.exchange(request()))
                .isInstanceOf(IOException.class)
                .hasMessage("The server sent a body of more than 100 bytes");
        large.get().close();
    }
}
