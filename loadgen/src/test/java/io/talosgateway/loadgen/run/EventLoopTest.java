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
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

import io.talosgateway.loadgen.http.Wire;
import io.talosgateway.loadgen.measure.KindRecorder;
import io.talosgateway.loadgen.measure.Tally;
import io.talosgateway.loadgen.plan.Pacing;
import io.talosgateway.loadgen.plan.Plans;
import io.talosgateway.loadgen.request.Requests;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Servers that do not answer as they should. */
final class EventLoopTest {

    private static final Duration SHORT = Duration.ofMillis(300);
    private static final Duration PATIENT = Duration.ofMinutes(1);

    /** Runs a loop of some clients to its end and gives what it counted: for longer, until it is enough. */
    private static Tally run(InetSocketAddress address, int clients, Duration patience, Predicate<Tally> enough) {
        Duration duration = SHORT;
        Tally tally = run(address, clients, patience, duration);
        while (!enough.test(tally) && duration.compareTo(PATIENT) < 0) {
            duration = duration.multipliedBy(4);
            tally = run(address, clients, patience, duration);
        }
        return tally;
    }

    private static Tally run(InetSocketAddress address, int clients, Duration patience, Duration duration) {
        return run(address, clients, patience, new Window(Duration.ZERO, duration), null);
    }

    private static Tally run(
            InetSocketAddress address, int clients, Duration patience, Window window, @Nullable Pacing pacing) {
        KindRecorder recorder = new KindRecorder();
        Requests requests = new Requests(Plans.of(Plans.raw(10)), InstantSource.system(), Map.of());
        EventLoop loop = new EventLoop(window, address, Wire::plain, false, patience.toNanos());
        for (int client = 0; client < clients; client++) {
            loop.add(
                    new Client(
                            recorder,
                            window,
                            reason -> {
                                throw new AssertionError(reason);
                            },
                            requests.put(client)),
                    pacing);
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

            Tally tally = run(address(server), 3, Duration.ofMillis(200), found -> found.failed() >= 3);

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

            Tally tally =
                    run(address(server), 1, PATIENT, found -> found.latency().getTotalCount() > 1);

            assertThat(tally.errors()).isEmpty();
            assertThat(tally.latency().getTotalCount()).isGreaterThan(1);
        }
    }

    /** The run ends while the server stands still: what was due by then has waited, too, and is not left out. */
    @Test
    void whatIsDueWhileTheServerStandsStillIsCounted() throws Exception {
        Window window = new Window(Duration.ZERO, SHORT);
        Pacing pacing = new Pacing(100, window::startNanos);
        try (ServerSocket server = listen()) {
            CompletableFuture<Void> served = CompletableFuture.runAsync(() -> answerAfter(window, server));

            Tally tally = run(address(server), 1, PATIENT, window, pacing);

            served.join();
            assertThat(tally.latency().getTotalCount()).isEqualTo(1);
            assertThat(tally.errors()).extracting(Tally.ErrorCount::code).containsExactly("not-sent");
            assertThat(tally.failed()).isEqualTo(29);
        }
    }

    /** Answers the first request when no other is sent any more. */
    private static void answerAfter(Window window, ServerSocket server) {
        try (Socket socket = server.accept()) {
            socket.getInputStream().read();
            while (!window.isLongOver(System.nanoTime())) {
                Thread.onSpinWait();
            }
            socket.getOutputStream()
                    .write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}".getBytes(StandardCharsets.US_ASCII));
            socket.shutdownOutput();
            socket.getInputStream().readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void answerWithoutAnEndFails() throws Exception {
        try (ServerSocket server = listen()) {
            serve(server, new ArrayList<>(), "HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\n{}");

            Tally tally = run(address(server), 1, PATIENT, found -> found.failed() > 0);

            assertThat(tally.errors())
                    .isNotEmpty()
                    .allSatisfy(error -> assertThat(error.code()).isEqualTo("connection-broken"));
        }
    }

    @Test
    void nobodyThereIsCountedAndNotHammered() throws Exception {
        // It is held, so that no other program can have it, and nobody listens.
        try (Socket held = new Socket()) {
            held.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            InetSocketAddress address = new InetSocketAddress(held.getLocalAddress(), held.getLocalPort());
            long beganNanos = System.nanoTime();

            Tally tally = run(address, 2, PATIENT, found -> found.failed() >= 2);

            long elapsedMs = (System.nanoTime() - beganNanos) / 1_000_000;
            assertThat(tally.errors()).hasSize(1);
            assertThat(tally.errors().get(0).code()).isEqualTo("not-connected");
            assertThat(tally.failed()).isBetween(2L, 2 * (elapsedMs / 100 + 1));
        }
    }
}
