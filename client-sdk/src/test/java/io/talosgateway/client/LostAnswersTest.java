package io.talosgateway.client;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static io.talosgateway.client.ScriptedServer.failureOf;
import static org.assertj.core.api.Assertions.assertThat;

/** What clients say, and do, when an answer does not come, comes in part, or is not the gateway's. */
final class LostAnswersTest {

    private static final String JSON = "application/json";
    private static final String HTML = "text/html";
    private static final List<NewMessage> MESSAGES = List.of(NewMessage.of("a"), NewMessage.of("b"));
    private static final String STORED = """
            {"partition":0,"messages":[0],"status":200,"stored":
             {"topic":"orders","partition":0,"firstOffset":42,"count":1,"durability":"disk","repeat":false,"appendedAtMs":7}}""";

    private ScriptedServer server;

    @BeforeEach
    void start() throws IOException {
        server = new ScriptedServer();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private static String refused(String code, String retry) {
        return "{\"code\":\"%s\",\"detail\":\"Because.\",\"retry\":\"%s\"}".formatted(code, retry);
    }

    private static String results(String second) {
        return "{\"results\":[" + STORED + "," + second + "]}";
    }

    private static String part(String retry) {
        return "{\"partition\":1,\"messages\":[1],\"status\":503,\"problem\":" + refused("partition-moving", retry)
                + "}";
    }

    private GatewayClient impatient() {
        server.keepsSilent();
        return server.client()
                .retries(RetryPolicy.NONE)
                .timeout(Duration.ofMillis(200))
                .build();
    }

    @Test
    void putThatIsNotAnsweredMayBeStored() {
        GatewayClientException failure = failureOf(impatient().put("orders", 0, MESSAGES));

        assertThat(failure).hasMessageEndingWith("did not answer in time");
        assertThat(failure.retry()).isEqualTo(Retry.SAME_KEY);
    }

    @Test
    void getThatIsNotAnsweredDoesNoHarm() {
        assertThat(failureOf(impatient().topics()).retry()).isEqualTo(Retry.AFTER_BACKOFF);
    }

    /** What the program does then may take long, and no future of the process would time out meanwhile. */
    @Test
    void timeoutIsNotToldOnTheThreadOfAllTimeouts() throws Exception {
        String thread = impatient()
                .topics()
                .handle((topics, failure) -> Thread.currentThread().getName())
                .get(120, TimeUnit.SECONDS);
        assertThat(thread).doesNotContain("Delay");
    }

    @Test
    void whatOneAttemptMayHaveStoredLaterOnesDoNotTakeBack() {
        server.answers(504, JSON, refused("outcome-unknown", "same-key"))
                .answers(503, JSON, refused("overloaded", "after-backoff"))
                .answers(503, JSON, refused("overloaded", "after-backoff"));

        GatewayClientException failure = failureOf(server.client().build().put("orders", 0, MESSAGES));

        assertThat(server.received()).hasSize(3);
        assertThat(failure).hasMessage("Because.");
        assertThat(failure.code()).isEqualTo("overloaded");
        assertThat(failure.retry()).isEqualTo(Retry.SAME_KEY);
    }

    /** As when the gateway's host loses its network: no end of the connection is seen. */
    @Test
    void answerThatStopsInItsBodyEndsWithItsTime() throws Exception {
        try (ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            CompletableFuture<Boolean> closed = CompletableFuture.supplyAsync(() -> closedByClient(listening));
            GatewayClient client = GatewayClient.builder(URI.create("http://127.0.0.1:" + listening.getLocalPort()))
                    .retries(RetryPolicy.NONE)
                    .timeout(Duration.ofMillis(200))
                    .build();

            GatewayClientException failure = failureOf(client.put("orders", 0, MESSAGES));

            assertThat(failure).hasMessageEndingWith("did not answer in time");
            assertThat(failure.retry()).isEqualTo(Retry.SAME_KEY);
            assertThat(closed.get(120, TimeUnit.SECONDS)).isTrue();
        }
    }

    private static boolean closedByClient(ServerSocket listening) {
        try (Socket socket = listening.accept()) {
            byte[] request = new byte[1 << 16];
            socket.getInputStream().read(request);
            socket.getOutputStream()
                    .write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{".getBytes(StandardCharsets.US_ASCII));
            int read = 0;
            while (read >= 0) {
                read = socket.getInputStream().read(request);
            }
            return true;
        } catch (IOException e) {
            // It is reset.
            return true;
        }
    }

    @Test
    void partsThatMayBeRepeatedAreSentAgainWithTheSameKey() throws Exception {
        server.answers(207, JSON, results(part("after-backoff")))
                .answers(207, JSON, results(part("same-key")))
                .answers(200, JSON, results(STORED.replace("\"messages\":[0]", "\"messages\":[1]")));

        List<PutPart> parts = server.client().build().put("orders", MESSAGES).get();

        assertThat(parts).allMatch(PutPart::isStored);
        assertThat(server.received().stream()
                        .map(request -> request.header("Idempotency-Key"))
                        .distinct())
                .hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({"after-backoff, 3", "never, 1"})
    void partsThatAreNotStoredInTheEndAreTold(String retry, int attempts) throws Exception {
        for (int attempt = 0; attempt < attempts; attempt++) {
            server.answers(207, JSON, results(part(retry)));
        }

        List<PutPart> parts = server.client().build().put("orders", MESSAGES).get();

        assertThat(server.received()).hasSize(attempts);
        assertThat(parts).extracting(PutPart::isStored).containsExactly(true, false);
    }

    @Test
    void whatAProxyAnswersInPlaceOfAGatewayIsAMissingAnswer() throws Exception {
        server.answers(502, HTML, "<html>Bad Gateway</html>")
                .answers(504, JSON, "{\"message\":\"Gateway Timeout\"}")
                .answers(200, JSON, "{\"topics\":[]}");
        assertThat(server.client().build().topics().get()).isEmpty();

        server.answers(502, HTML, "<html>Bad Gateway</html>");
        GatewayClient once = server.client().retries(RetryPolicy.NONE).build();
        assertThat(failureOf(once.put("orders", 0, MESSAGES)).retry()).isEqualTo(Retry.SAME_KEY);
        server.answers(502, JSON, "{\"message\":\"Bad Gateway\"}");
        assertThat(failureOf(once.createTopic(new NewTopic("orders"))).retry()).isEqualTo(Retry.OUTCOME_UNKNOWN);
    }
}
