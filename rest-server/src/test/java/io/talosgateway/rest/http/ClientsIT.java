package io.talosgateway.rest.http;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.talosgateway.rest.Await;
import io.talosgateway.rest.auth.AccessKey;
import io.talosgateway.rest.bootstrap.TestGateway;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** Clients that take more than their part: others are served beside them. */
final class ClientsIT {

    private static final String PATH = "/v1/topics/t/partitions/0/messages";
    private static final int MAX_REQUESTS = 40;
    /** Of a body of 1,000 bytes, the rest of which does not come. */
    private static final String HALF = "x".repeat(500);

    private static final int MAX_WAITING = 20;

    @TempDir
    static Path directory;

    private static TestGateway gateway;
    private static AccessKey alice;
    private static AccessKey bob;

    private final List<Socket> sockets = new ArrayList<>();

    @BeforeAll
    static void start() throws Exception {
        gateway = TestGateway.start(
                directory,
                Map.of(
                        "http.host", "0.0.0.0",
                        "admission.max-requests-in-flight", "" + MAX_REQUESTS,
                        "admission.max-bytes-in-flight", "64MiB",
                        "admission.max-percent-per-key", "25",
                        "admission.max-percent-per-address", "50",
                        "fetch.max-waiters", "" + MAX_WAITING,
                        "http.min-rate", "1",
                        "http.body-timeout", "5m"));
        gateway.send(gateway.request("/v1/topics")
                .POST(BodyPublishers.ofString("{\"name\":\"t\",\"partitions\":1}"))
                .build());
        alice = gateway.addKey("alice", false);
        bob = gateway.addKey("bob", false);
        for (String principal : List.of("alice", "bob", "third")) {
            gateway.grant("t", principal, "put", "get", "describe");
        }
    }

    @AfterAll
    static void stop() {
        gateway.close();
    }

    @AfterEach
    void nothingIsLeftBehind() throws Exception {
        for (Socket socket : sockets) {
            socket.close();
        }
        awaitInFlight(0);
        awaitMetric("talos_bytes_in_flight", 0);
        awaitMetric("talos_gets_waiting", 0);
    }

    private static void awaitMetric(String name, int value) throws Exception {
        Await.asLongAs(() -> gateway.metric(name) != value);
    }

    private static void awaitInFlight(int requests) throws Exception {
        awaitMetric("talos_requests_in_flight", requests);
    }

    /** A connection from one of the addresses of the loopback network. */
    private Socket connect(int client) throws IOException {
        return connect(client, gateway);
    }

    private Socket connect(int client, TestGateway to) throws IOException {
        Socket socket = new Socket();
        sockets.add(socket);
        socket.bind(new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) client}), 0));
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), to.port()));
        return socket;
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static String head(String method, String target, String authorization, String... headers) {
        return method + " " + target + " HTTP/1.1\r\nHost: x\r\nContent-Type: application/octet-stream\r\n"
                + (authorization.isEmpty() ? "" : "Authorization: " + authorization + "\r\n")
                + String.join(
                        "",
                        List.of(headers).stream().map(header -> header + "\r\n").toList())
                + "\r\n";
    }

    private static String get(AccessKey key, String wait) {
        return head("GET", PATH + "?value=text&offset=latest&wait=" + wait, TestGateway.basic(key));
    }

    /** The first line of the answer. */
    private static String status(Socket socket) throws IOException {
        return new String(socket.getInputStream().readNBytes(12), StandardCharsets.ISO_8859_1);
    }

    private void assertServed(int client, AccessKey key) throws IOException {
        Socket socket = connect(client);
        send(socket, head("POST", PATH, TestGateway.basic(key), "Content-Length: 2") + "ok");
        assertThat(status(socket)).isEqualTo("HTTP/1.1 200");
    }

    // --- before the credentials are known ---

    @Test
    void bodyOfAWrongKeyIsNotReadAndTakesNoMemory() throws Exception {
        double before = gateway.metric("talos_received_bytes_total");
        for (String authorization : List.of("", "Basic eDp5", "Galaxy-V3 a:b", "Galaxy-V3 " + alice.id() + ":wrong")) {
            for (String target : List.of(PATH, "/v1/topics")) {
                Socket socket = connect(1);
                send(socket, head("POST", target, authorization, "Content-Length: 20000000", "Expect: 100-continue"));
                assertThat(status(socket)).as(authorization).isEqualTo("HTTP/1.1 401");
            }
        }
        assertThat(gateway.metric("talos_received_bytes_total")).isEqualTo(before);
    }

    @Test
    void bodyOfWhoMayNotPutIsNotRead() throws Exception {
        AccessKey stranger = gateway.addKey("stranger", false);
        AccessKey reader = gateway.addKey("reader", false);
        gateway.grant("t", "reader", "get", "describe");
        double before = gateway.metric("talos_received_bytes_total");
        for (var expected : List.of(Map.entry(stranger, "HTTP/1.1 404"), Map.entry(reader, "HTTP/1.1 403"))) {
            Socket socket = connect(1);
            send(socket, head("POST", PATH, TestGateway.basic(expected.getKey()), "Content-Length: 20000000"));
            assertThat(status(socket)).isEqualTo(expected.getValue());
        }
        assertThat(gateway.metric("talos_received_bytes_total")).isEqualTo(before);
    }

    @Test
    void secondAuthorizationIsRefused() throws Exception {
        Socket socket = connect(1);
        send(socket, head("GET", "/v1/topics", TestGateway.basic(alice), "Authorization: " + TestGateway.basic(bob)));
        assertThat(status(socket)).isEqualTo("HTTP/1.1 401");
    }

    @Test
    void bodyWithoutAKeyIsSmall() throws Exception {
        Socket socket = connect(1);
        send(
                socket,
                "POST /v1/api/topic HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-thrift-compact\r\nContent-Length: 65537\r\nExpect: 100-continue\r\n\r\n");
        assertThat(status(socket)).isEqualTo("HTTP/1.1 413");
    }

    @Test
    void announcedBytesTakeNoMemoryUntilTheyArrive() throws Exception {
        for (int index = 0; index < 10; index++) {
            send(connect(1), head("POST", PATH, TestGateway.basic(alice), "Content-Length: 20000000"));
        }
        awaitInFlight(10);

        assertThat(gateway.metric("talos_bytes_in_flight")).isZero();
        assertServed(2, bob);
    }

    // --- shares ---

    @Test
    void oneKeyHasItsShareOfRequestsOnly() throws Exception {
        for (int index = 0; index < MAX_REQUESTS / 4; index++) {
            send(connect(1), head("POST", PATH, TestGateway.basic(alice), "Content-Length: 1000") + HALF);
        }
        awaitInFlight(MAX_REQUESTS / 4);
        Socket refused = connect(3);
        send(refused, head("POST", PATH, TestGateway.basic(alice), "Content-Length: 2") + "no");
        assertThat(status(refused)).isEqualTo("HTTP/1.1 429");
        assertServed(1, bob);
        assertServed(2, bob);
    }

    @Test
    void oneAddressHasItsShareOfRequestsOnly() throws Exception {
        AccessKey third = gateway.addKey("third", false);
        List<AccessKey> keys = List.of(alice, bob);
        for (int index = 0; index < MAX_REQUESTS / 2; index++) {
            send(connect(1), head("POST", PATH, TestGateway.basic(keys.get(index % 2)), "Content-Length: 1000") + HALF);
        }
        awaitInFlight(MAX_REQUESTS / 2);
        Socket refused = connect(1);
        send(refused, head("POST", PATH, TestGateway.basic(third), "Content-Length: 2") + "no");
        assertThat(status(refused)).isEqualTo("HTTP/1.1 429");
        assertServed(2, third);
    }

    @Test
    void oneKeyHasItsShareOfWaitingGetsOnly() throws Exception {
        for (int index = 0; index < MAX_WAITING / 4; index++) {
            send(connect(1), get(alice, "60s"));
        }
        awaitMetric("talos_gets_waiting", MAX_WAITING / 4);
        Socket refused = connect(1);
        send(refused, get(alice, "60s"));
        assertThat(status(refused)).isEqualTo("HTTP/1.1 429");
        Socket other = connect(1);
        send(other, get(bob, "1ms"));
        assertThat(status(other)).isEqualTo("HTTP/1.1 200");
        assertServed(1, alice);
    }

    @Test
    void oneKeyHasItsShareOfBytesOnly() throws Exception {
        byte[] part = new byte[6 << 20];
        for (int index = 0; index < 2; index++) {
            Socket socket = connect(1);
            send(socket, head("POST", PATH, TestGateway.basic(alice), "Content-Length: " + (part.length + 1)));
            socket.getOutputStream().write(part);
        }
        Await.asLongAs(() -> gateway.metric("talos_bytes_in_flight") < 2 * part.length);
        Socket refused = connect(2);
        send(refused, head("POST", PATH, TestGateway.basic(alice), "Content-Length: " + part.length));
        refused.getOutputStream().write(part, 0, 3 << 20);
        assertThat(status(refused)).isEqualTo("HTTP/1.1 429");
        assertServed(2, bob);
    }

    // --- clients that are slow, or gone ---

    @Test
    void getsEndWhenTheirClientsGo() throws Exception {
        for (int round = 0; round < 10; round++) {
            List<Socket> waiting = new ArrayList<>();
            for (int index = 0; index < MAX_WAITING / 4; index++) {
                Socket socket = connect(1);
                waiting.add(socket);
                send(socket, get(alice, "60s"));
            }
            awaitMetric("talos_gets_waiting", MAX_WAITING / 4);
            for (int index = 0; index < waiting.size(); index++) {
                waiting.get(index).setSoLinger(index % 2 == 0, 0);
                waiting.get(index).close();
            }
            awaitMetric("talos_gets_waiting", 0);
            awaitInFlight(0);
        }
    }

    @Test
    void getThatWaitsIsAnsweredOnAConnectionThatGoesOn() throws Exception {
        Socket socket = connect(1);
        String put = head("POST", PATH, TestGateway.basic(alice), "Content-Length: 2", "Connection: close") + "ok";
        for (int round = 0; round < 20; round++) {
            send(socket, get(alice, "60s"));
            awaitMetric("talos_gets_waiting", 1);
            assertServed(2, bob);
            assertThat(readAnswer(socket)).startsWith("HTTP/1.1 200").contains("\"value\":\"ok\"");
            send(socket, get(alice, "20ms"));
            assertThat(readAnswer(socket)).startsWith("HTTP/1.1 200").contains("\"messages\":[]");
        }
        // The next request while the get waits.
        send(socket, get(alice, "60s"));
        awaitMetric("talos_gets_waiting", 1);
        send(socket, put);
        assertServed(2, bob);
        String answers = new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        assertThat(answers.split("HTTP/1.1 200 ", -1)).as(answers).hasSize(3);
    }

    private static String readAnswer(Socket socket) throws IOException {
        StringBuilder answer = new StringBuilder();
        while (!answer.toString().endsWith("\r\n\r\n")) {
            answer.append((char) socket.getInputStream().read());
        }
        int start = answer.indexOf("Content-Length: ") + "Content-Length: ".length();
        int length = Integer.parseInt(answer.substring(start, answer.indexOf("\r\n", start)));
        return answer + new String(socket.getInputStream().readNBytes(length), StandardCharsets.UTF_8);
    }

    @Test
    void clientsThatAreTooSlowLoseTheirConnections(@TempDir Path own) throws Exception {
        try (TestGateway impatient =
                TestGateway.start(own, Map.of("http.min-rate", "1MiB", "http.body-timeout", "30m"))) {
            impatient.send(impatient
                    .request("/v1/topics")
                    .POST(BodyPublishers.ofString("{\"name\":\"t\",\"partitions\":1}"))
                    .build());
            readerStalls(impatient);
            bodyTrickles(impatient);
        }
    }

    private void readerStalls(TestGateway impatient) throws Exception {
        for (int index = 0; index < 2; index++) {
            assertThat(impatient
                            .send(impatient
                                    .request(PATH)
                                    .header("Content-Type", "application/octet-stream")
                                    .POST(BodyPublishers.ofByteArray(new byte[9 << 20]))
                                    .build())
                            .statusCode())
                    .isEqualTo(200);
        }
        Socket socket = connect(1, impatient);
        socket.setReceiveBufferSize(4096);
        send(socket, head("GET", PATH + "?value=text&offset=1", TestGateway.basic(impatient.key())));
        assertThat(status(socket)).isEqualTo("HTTP/1.1 200");
        Await.asLongAs(() -> impatient.metric("talos_bytes_in_flight") > 0);
    }

    private void bodyTrickles(TestGateway impatient) throws Exception {
        Socket socket = connect(1, impatient);
        String head = head("POST", PATH, TestGateway.basic(impatient.key()), "Content-Length: 20000000");
        send(socket, head + "x".repeat(100_000));

        assertThat(status(socket)).isEqualTo("HTTP/1.1 408");
    }
}
