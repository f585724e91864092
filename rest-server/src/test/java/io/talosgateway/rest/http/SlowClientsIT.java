package io.talosgateway.rest.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.talosgateway.rest.Await;
import io.talosgateway.rest.bootstrap.TestGateway;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** Clients that are slow, vanish, or lie about lengths, over plain sockets. */
final class SlowClientsIT {

    private static final String PATH = "/v1/topics/t/partitions/0/messages";
    /** Nobody puts here; on the other, puts whose clients have gone may still be made. */
    private static final String EMPTY_PATH = "/v1/topics/t/partitions/1/messages";

    @TempDir
    static Path directory;

    /** Waits for clients as long as a slow machine needs. */
    private static TestGateway gateway;
    /** Ends those that are slow soon. */
    private static TestGateway impatient;

    @BeforeAll
    static void start() throws Exception {
        gateway = start("patient", Map.of("http.header-timeout", "2m", "http.body-timeout", "2m"));
        impatient = start(
                "impatient",
                Map.of(
                        "http.header-timeout", "1s",
                        "http.body-timeout", "500ms",
                        "http.idle-timeout", "4s"));
    }

    private static TestGateway start(String name, Map<String, String> limits) throws Exception {
        Map<String, String> settings = new HashMap<>(limits);
        settings.put("http.max-body-size", "64KiB");
        TestGateway started = TestGateway.start(directory.resolve(name), settings);
        started.send(started.request("/v1/topics")
                .POST(BodyPublishers.ofString("{\"name\":\"t\",\"partitions\":2}"))
                .build());
        return started;
    }

    @AfterAll
    static void stop() {
        gateway.close();
        impatient.close();
    }

    @AfterEach
    void nothingIsLeftBehind() throws Exception {
        for (TestGateway each : List.of(gateway, impatient)) {
            Await.asLongAs(() -> each.metric("talos_requests_in_flight") + each.metric("talos_bytes_in_flight") > 0);
        }
        HttpResponse<String> put = gateway.send(gateway.request(PATH)
                .header("Content-Type", "application/octet-stream")
                .POST(BodyPublishers.ofString("still well"))
                .build());
        assertThat(put.statusCode()).isEqualTo(200);
    }

    /** A connection of a client that does what it wants. */
    private static final class Client implements AutoCloseable {
        private final TestGateway asked;
        private final Socket socket;

        Client() throws IOException {
            this(gateway);
        }

        Client(TestGateway asked) throws IOException {
            this.asked = asked;
            socket = new Socket(InetAddress.getLoopbackAddress(), asked.port());
            socket.setTcpNoDelay(true);
        }

        Client send(String text) throws IOException {
            socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
            socket.getOutputStream().flush();
            return this;
        }

        /** Sends, and returns false, or returns true if the gateway has ended the connection. */
        boolean trySend(String text) {
            try {
                send(text);
                return false;
            } catch (IOException e) {
                return true;
            }
        }

        Client sendHead(String method, String path, String... headers) throws IOException {
            StringBuilder head = new StringBuilder(method + " " + path + " HTTP/1.1\r\nHost: x\r\nAuthorization: ")
                    .append(TestGateway.basic(asked.key()))
                    .append("\r\nContent-Type: application/octet-stream\r\n");
            for (String header : headers) {
                head.append(header).append("\r\n");
            }
            return send(head.append("\r\n").toString());
        }

        /** Everything until the end of the connection, or of the answer's announced body. */
        String receive() throws IOException {
            ByteArrayOutputStream received = new ByteArrayOutputStream();
            InputStream in = socket.getInputStream();
            while (true) {
                String text = received.toString(StandardCharsets.ISO_8859_1);
                int end = text.indexOf("\r\n\r\n");
                int length = text.indexOf("Content-Length: ");
                if (end >= 0 && length >= 0 && length < end) {
                    int body = Integer.parseInt(text.substring(length + 16, text.indexOf("\r\n", length)));
                    if (received.size() >= end + 4 + body) {
                        return text;
                    }
                }
                int next = in.read();
                if (next < 0) {
                    return text;
                }
                received.write(next);
            }
        }

        /** True if the gateway ends the connection; false if it has not within the time. */
        boolean isClosedWithin(int ms) throws IOException {
            socket.setSoTimeout(ms);
            try {
                while (socket.getInputStream().read() >= 0) {
                    // An answer that nobody waits for.
                }
                return true;
            } catch (SocketTimeoutException e) {
                return false;
            } catch (IOException e) {
                return true;
            }
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    @Test
    void requestsThatAreSentTogetherAreAnsweredInTurn() throws Exception {
        String put = "POST " + PATH + " HTTP/1.1\r\nHost: x\r\nAuthorization: " + TestGateway.basic(gateway.key())
                + "\r\nContent-Type: application/octet-stream\r\nContent-Length: 2\r\n";
        try (Client client = new Client()) {
            client.send(put + "\r\nab" + put + "\r\ncd" + put + "Connection: close\r\n\r\nef");

            String answers = new String(client.socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);

            assertThat(answers.split("HTTP/1.1 200 ", -1)).as(answers).hasSize(4);
            Matcher offsets = Pattern.compile("\"firstOffset\":(\\d+)").matcher(answers);
            assertThat(offsets.results()
                            .map(result -> Long.parseLong(result.group(1)))
                            .toList())
                    .hasSize(3)
                    .isSorted();
        }
    }

    @Test
    void headersThatTrickleInEndTheConnection() throws Exception {
        try (Client client = new Client(impatient)) {
            client.send("POST " + PATH + " HTTP/1.1\r\n");
            boolean closed = false;
            // Each byte restarts an idle timeout, so that only a limit for the whole head helps.
            for (int index = 0; index < 400 && !closed; index++) {
                closed = client.trySend("X") || client.isClosedWithin(50);
            }
            assertThat(closed).isTrue();
        }
    }

    @Test
    void bodyThatStallsIsAnswered408() throws Exception {
        try (Client client = new Client(impatient)) {
            client.sendHead("POST", PATH, "Content-Length: 100").send("only some");

            assertThat(client.receive())
                    .startsWith("HTTP/1.1 408")
                    .contains("\"code\":\"request-timeout\"")
                    .contains("\"retry\":\"after-backoff\"");
        }
    }

    @Test
    void clientThatVanishesInTheBodyLeavesNothing() throws Exception {
        double before = messages();
        for (int round = 0; round < 20; round++) {
            try (Client client = new Client()) {
                client.sendHead("POST", EMPTY_PATH, "Content-Length: 100").send("only some");
            }
        }
        assertThat(messages()).isEqualTo(before);
    }

    private static double messages() throws Exception {
        String body = gateway.send(gateway.request("/v1/topics/t/partitions/1").build())
                .body();
        return Double.parseDouble(body.replaceAll(".*\"messageCount\":(\\d+).*", "$1"));
    }

    @Test
    void clientThatVanishesBeforeItsAnswerLeavesNothing() throws Exception {
        for (int round = 0; round < 20; round++) {
            try (Client client = new Client()) {
                client.sendHead("POST", PATH, "Content-Length: 4").send("gone");
            }
            try (Client client = new Client()) {
                client.sendHead("GET", PATH + "?offset=latest&wait=1s");
            }
        }
    }

    @Test
    void bodyOverTheLimitIsRefusedBeforeItIsSent() throws Exception {
        try (Client client = new Client()) {
            client.sendHead("POST", PATH, "Content-Length: 1000000000000");

            assertThat(client.receive()).startsWith("HTTP/1.1 413").contains("\"code\":\"request-too-large\"");
        }
        try (Client client = new Client()) {
            client.sendHead("POST", "/v1/api/message?type=putMessage", "Content-Length: 1000000000000");

            assertThat(client.receive()).startsWith("HTTP/1.1 413").contains("Content-Type: text/plain");
        }
    }

    @Test
    void chunkedBodyOverTheLimitIsRefusedWhenItIs() throws Exception {
        try (Client client = new Client()) {
            client.sendHead("POST", PATH, "Transfer-Encoding: chunked");
            String chunk = "1000\r\n" + "x".repeat(4096) + "\r\n";
            for (int index = 0; index < 17; index++) {
                client.send(chunk);
            }

            assertThat(client.receive()).startsWith("HTTP/1.1 413");
        }
    }

    @Test
    void chunkedBodyIsPutLikeAnyOther() throws Exception {
        try (Client client = new Client()) {
            client.sendHead("POST", PATH, "Transfer-Encoding: chunked")
                    .send("5\r\nhello\r\n")
                    .send("6\r\n world\r\n0\r\n\r\n");

            assertThat(client.receive()).startsWith("HTTP/1.1 200");
        }
    }

    @Test
    void codingThatIsNotUndoneIsRefusedAndEndsTheConnection() throws Exception {
        for (String coding : new String[] {"gzip, chunked", "x\r\nTransfer-Encoding: chunked"}) {
            try (Client client = new Client()) {
                client.sendHead("POST", PATH, "Transfer-Encoding: " + coding).send("2\r\nab\r\n0\r\n\r\n");

                assertThat(client.receive())
                        .startsWith("HTTP/1.1 501")
                        .contains("Connection: close", "\"code\":\"not-implemented\"");
                assertThat(client.isClosedWithin(120_000)).isTrue();
            }
        }
    }

    @Test
    void clientThatWaitsToBeAskedForTheBodyIs() throws Exception {
        try (Client client = new Client()) {
            client.sendHead("POST", PATH, "Content-Length: 2", "Expect: 100-continue");
            client.socket.setSoTimeout(120_000);
            assertThat(new String(client.socket.getInputStream().readNBytes(21), StandardCharsets.ISO_8859_1))
                    .isEqualTo("HTTP/1.1 100 Continue");
            client.socket.getInputStream().readNBytes(4);
            client.send("ok");

            assertThat(client.receive()).startsWith("HTTP/1.1 200");
        }
    }

    @Test
    void requestsOfSeveralUsersMayShareAConnection() throws Exception {
        try (Client client = new Client()) {
            client.send("GET /v1/topics HTTP/1.1\r\nHost: x\r\n\r\n");
            assertThat(client.receive()).startsWith("HTTP/1.1 401");
            client.sendHead("GET", "/v1/topics");
            assertThat(client.receive()).startsWith("HTTP/1.1 200");
            client.send("GET /v1/topics HTTP/1.1\r\nHost: x\r\nAuthorization: Basic eDp5\r\n\r\n");
            assertThat(client.receive()).startsWith("HTTP/1.1 401");
        }
    }

    @Test
    void waitingGetOutlivesTheIdleTimeout() throws Exception {
        try (Client client = new Client(impatient)) {
            client.sendHead("GET", EMPTY_PATH + "?offset=latest&wait=6s");

            assertThat(client.receive()).startsWith("HTTP/1.1 200").contains("\"messages\":[]");
        }
    }

    @Test
    void idleConnectionIsEnded() throws Exception {
        try (Client client = new Client(impatient)) {
            assertThat(client.isClosedWithin(120_000)).isTrue();
        }
    }
}
