package io.talosgateway.loadgen.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import io.talosgateway.loadgen.http.Wire;
import io.talosgateway.loadgen.measure.KindRecorder;
import io.talosgateway.loadgen.measure.Tally;
import io.talosgateway.loadgen.plan.Plans;
import io.talosgateway.loadgen.request.Requests;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Servers that do not answer as they should. */
final class EventLoopTest {

    private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private final KindRecorder recorder = new KindRecorder();
    private final Window window = new Window(Duration.ZERO, Duration.ofMillis(300));

    /** Runs a loop of some clients to its end and gives what it counted. */
    private Tally run(InetSocketAddress address, int clients) {
        Requests requests = new Requests(Plans.of(Plans.raw(10)), InstantSource.system(), Map.of());
        EventLoop loop = new EventLoop(window, address, Wire::plain, false, PATIENCE_NANOS);
        for (int client = 0; client < clients; client++) {
            loop.add(
                    new Client(
                            recorder,
                            window,
                            reason -> {
                                throw new AssertionError(reason);
                            },
                            requests.put(client)),
                    null);
        }
        window.start(System.nanoTime());
        loop.run();
        return recorder.take();
    }

    /** Lets each connection be handled in a thread of its own, until the server is closed. */
    private static void serve(ServerSocket server, List<Socket> accepted, String answer) {
        Thread thread = new Thread(() -> {
            try {
                while (true) {
                    Socket socket = server.accept();
                    accepted.add(socket);
                    if (!answer.isEmpty()) {
                        socket.getInputStream().read();
                        socket.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
                        socket.shutdownOutput();
                    }
                }
            } catch (IOException e) {
                if (!server.isClosed()) {
                    throw new UncheckedIOException(e);
                }
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    private static ServerSocket listen() throws IOException {
        return new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
    }

    private static InetSocketAddress address(ServerSocket server) {
        return new InetSocketAddress(server.getInetAddress(), server.getLocalPort());
    }

    @Test
    void requestsThatAreNotAnsweredAreGivenUp() throws Exception {
        try (ServerSocket server = listen()) {
            serve(server, new ArrayList<>(), "");

            Tally tally = run(address(server), 3);

            assertThat(tally.errors()).hasSize(1);
            assertThat(tally.errors().get(0).code()).isEqualTo("no-answer");
            assertThat(tally.failed()).isGreaterThanOrEqualTo(3);
            assertThat(tally.latency().getTotalCount()).isZero();
        }
    }

    @Test
    void serverThatClosesAfterEachAnswerIsConnectedToAgain() throws Exception {
        try (ServerSocket server = listen()) {
            List<Socket> accepted = new ArrayList<>();
            serve(server, accepted, "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}");

            Tally tally = run(address(server), 1);

            assertThat(tally.errors()).isEmpty();
            assertThat(tally.latency().getTotalCount()).isGreaterThan(1);
        }
    }

    @Test
    void answerWithoutAnEndFails() throws Exception {
        try (ServerSocket server = listen()) {
            serve(server, new ArrayList<>(), "HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\n{}");

            assertThat(run(address(server), 1).errors())
                    .allSatisfy(error -> assertThat(error.code()).isEqualTo("connection-broken"));
        }
    }

    @Test
    void nobodyThereIsCountedAndNotHammered() throws Exception {
        InetSocketAddress address;
        try (ServerSocket server = listen()) {
            address = address(server);
        }

        Tally tally = run(address, 2);

        assertThat(tally.errors()).hasSize(1);
        assertThat(tally.errors().get(0).code()).isEqualTo("not-connected");
        assertThat(tally.failed()).isBetween(2L, 8L);
    }
}
