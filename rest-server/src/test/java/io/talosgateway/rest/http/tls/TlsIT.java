package io.talosgateway.rest.http.tls;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.cert.X509Certificate;
import java.util.HashMap;
import java.util.Map;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

import io.talosgateway.rest.Await;
import io.talosgateway.rest.bootstrap.TestGateway;
import io.talosgateway.rest.tls.KeyStoreFile;
import io.talosgateway.rest.tls.TestCertificates;
import io.talosgateway.rest.tls.TestCertificates.Issued;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** A gateway that speaks TLS, its clients, and those that do it wrong. */
final class TlsIT {

    @TempDir
    static Path shared;

    private static TestCertificates authority;
    private static SSLContext trusting;
    private static Issued issued;
    private static Issued renewed;

    @TempDir
    Path directory;

    private Path certificate;
    private Path key;

    @BeforeAll
    static void issue() throws Exception {
        authority = new TestCertificates(shared, "authority");
        trusting = authority.trusting();
        issued = authority.issue("issued", "EC");
        renewed = authority.issue("renewed", "RSA");
    }

    @BeforeEach
    void write() throws Exception {
        certificate = directory.resolve("certificate.pem");
        key = directory.resolve("key.pem");
        issued.write(certificate, key);
    }

    private TestGateway start(String... more) throws IOException {
        Map<String, String> settings = new HashMap<>(
                Map.of("tls.port", "0", "tls.certificate", certificate.toString(), "tls.key", key.toString()));
        for (int index = 0; index < more.length; index += 2) {
            settings.put(more[index], more[index + 1]);
        }
        return TestGateway.start(directory, settings);
    }

    private static HttpRequest.Builder request(TestGateway gateway, String path) {
        return HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + gateway.tlsPort() + path))
                .header("Authorization", TestGateway.basic(gateway.key()));
    }

    private static HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        // A client of its own for each request: a connection of its own.
        return HttpClient.newBuilder().sslContext(trusting).build().send(request.build(), BodyHandlers.ofString());
    }

    private static SSLSocket connect(TestGateway gateway) throws IOException {
        return (SSLSocket)
                trusting.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), gateway.tlsPort());
    }

    private static Socket connectPlain(TestGateway gateway) throws IOException {
        return new Socket(InetAddress.getLoopbackAddress(), gateway.tlsPort());
    }

    /** Reads to the end of the connection, which may also be reset. */
    private static void awaitEnd(Socket socket) {
        try {
            InputStream in = socket.getInputStream();
            while (in.read() >= 0) {
                // An alert, perhaps.
            }
        } catch (IOException e) {
            // Ended as well.
        }
    }

    private static void await(TestGateway gateway, String metric, double value) throws Exception {
        Await.asLongAs(() -> gateway.metric(metric) != value);
    }

    private static String handshakes(String outcome) {
        return "talos_tls_handshakes_total{outcome=\"%s\",}".formatted(outcome);
    }

    private static void assertServes(TestGateway gateway) throws Exception {
        assertThat(send(request(gateway, "/v1/topics")).statusCode()).isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource({"jdk,TLSv1.2", "jdk,TLSv1.3", "conscrypt,TLSv1.2", "conscrypt,TLSv1.3"})
    void putAndGetWork(String provider, String protocol) throws Exception {
        try (TestGateway gateway = start("tls.provider", provider)) {
            HttpClient client = HttpClient.newBuilder()
                    .sslContext(trusting)
                    .sslParameters(new SSLParameters(null, new String[] {protocol}))
                    .build();
            String large = "x".repeat(1 << 20);
            client.send(
                    request(gateway, "/v1/topics")
                            .header("Content-Type", "application/json")
                            .POST(BodyPublishers.ofString("{\"name\":\"t\",\"partitions\":1}"))
                            .build(),
                    BodyHandlers.ofString());
            for (String message : new String[] {"small", large}) {
                HttpResponse<String> put = client.send(
                        request(gateway, "/v1/topics/t/partitions/0/messages")
                                .header("Content-Type", "application/octet-stream")
                                .POST(BodyPublishers.ofString(message))
                                .build(),
                        BodyHandlers.ofString());
                assertThat(put.statusCode()).as(put.body()).isEqualTo(200);
                assertThat(put.sslSession().orElseThrow().getProtocol()).isEqualTo(protocol);
            }

            HttpResponse<String> got = client.send(
                    request(gateway, "/v1/topics/t/partitions/0/messages?offset=1&value=text")
                            .build(),
                    BodyHandlers.ofString());
            assertThat(got.body()).contains(large);
        }
    }

    /** A resumed session is as old as the one that it resumes. */
    @ParameterizedTest
    @CsvSource({"jdk,TLSv1.2", "jdk,TLSv1.3", "conscrypt,TLSv1.2", "conscrypt,TLSv1.3"})
    void clientsResumeTheirSessions(String provider, String protocol) throws Exception {
        try (TestGateway gateway = start("tls.provider", provider)) {
            long first = sessionOfOneRequest(gateway, protocol);
            Await.asLongAs(() -> System.currentTimeMillis() == first);

            assertThat(sessionOfOneRequest(gateway, protocol)).isEqualTo(first);
        }
    }

    /** When the session of a connection for one request was created. The answer is read, and with it the ticket that comes before. */
    private static long sessionOfOneRequest(TestGateway gateway, String protocol) throws IOException {
        try (SSLSocket socket = connect(gateway)) {
            socket.setEnabledProtocols(new String[] {protocol});
            socket.getOutputStream()
                    .write("GET /v1/topics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
                            .getBytes(StandardCharsets.ISO_8859_1));
            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1))
                    .startsWith("HTTP/1.1 401");
            return socket.getSession().getCreationTime();
        }
    }

    @Test
    void keyStoreWorksToo() throws Exception {
        KeyStoreFile store = issued.writeKeyStore(directory.resolve("store.p12"));
        try (TestGateway gateway = start(
                "tls.certificate",
                "",
                "tls.key",
                "",
                "tls.key-store",
                store.file().toString(),
                "tls.key-store-password",
                TestCertificates.PASSWORD)) {
            assertServes(gateway);
        }
    }

    @Test
    void olderProtocolsAreRefused() throws Exception {
        try (TestGateway gateway = start();
                Socket socket = connectPlain(gateway)) {
            // A greeting of TLS 1.1: record and handshake headers, version 3.2, no session, one cipher, no compression.
            byte[] greeting = new byte[5 + 4 + 41];
            byte[] start = {22, 3, 1, 0, 45, 1, 0, 0, 41, 3, 2};
            System.arraycopy(start, 0, greeting, 0, start.length);
            byte[] end = {0, 0, 2, (byte) 0xC0, 0x0A, 1, 0};
            System.arraycopy(end, 0, greeting, 5 + 4 + 34, end.length);
            socket.getOutputStream().write(greeting);

            // An alert (21) that the protocol version (70) is not supported.
            byte[] alert = socket.getInputStream().readNBytes(7);
            assertThat(alert[0]).isEqualTo((byte) 21);
            assertThat(alert[6]).isEqualTo((byte) 70);
        }
    }

    @Test
    void plainPortIsClosedOnRequest() throws Exception {
        try (TestGateway gateway = start("http.enabled", "false", "http.port", "1")) {
            assertThat(gateway.port()).isEqualTo(-1);
            send(request(gateway, "/v1/topics")
                    .header("Content-Type", "application/json")
                    .POST(BodyPublishers.ofString("{\"name\":\"t\",\"partitions\":1}")));
            assertThat(send(request(gateway, "/v1/topics/t/partitions/0")).body())
                    .contains("\"owner\":\"https://127.0.0.1:" + gateway.tlsPort() + "\"");
        }
        try (TestGateway gateway =
                start("http.enabled", "false", "tls.advertise", "gateway.example.com:443", "http.port", "1")) {
            assertThat(send(request(gateway, "/v1/topics/t/partitions/0")).body())
                    .contains("\"owner\":\"https://gateway.example.com:443\"");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"jdk", "conscrypt"})
    void newCertificateIsForNewConnectionsAndOpenOnesGoOn(String provider) throws Exception {
        try (TestGateway gateway = start("tls.provider", provider, "tls.reload-interval", "20ms");
                SSLSocket held = connect(gateway)) {
            held.startHandshake();
            assertThat(held.getSession().getPeerCertificates()[0])
                    .isEqualTo(issued.chain().get(0));

            renewed.write(certificate, key);
            // The certificate may be seen before the key: then it is refused first.
            await(gateway, "talos_tls_reloads_total{outcome=\"taken\",}", 1);
            assertServedWith(gateway, renewed);
            assertThat(gateway.metric("talos_tls_certificate_expiry_seconds"))
                    .isEqualTo(renewed.chain().stream()
                            .map(X509Certificate::getNotAfter)
                            .mapToDouble(each -> (double) each.toInstant().getEpochSecond())
                            .min()
                            .orElseThrow());

            held.getOutputStream()
                    .write("GET /v1/topics HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));
            assertThat(new String(held.getInputStream().readNBytes(12), StandardCharsets.ISO_8859_1))
                    .isEqualTo("HTTP/1.1 401");
        }
    }

    private static void assertServedWith(TestGateway gateway, Issued expected) throws Exception {
        HttpResponse<String> response = send(request(gateway, "/v1/topics"));
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.sslSession().orElseThrow().getPeerCertificates()[0])
                .isEqualTo(expected.chain().get(0));
    }

    @Test
    void badNewCertificateLeavesTheOldOneInUse() throws Exception {
        try (TestGateway gateway = start("tls.reload-interval", "20ms")) {
            Path half = Files.writeString(directory.resolve("half"), "half of a certif");
            Files.move(half, certificate, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            await(gateway, "talos_tls_reloads_total{outcome=\"refused\",}", 1);

            assertServedWith(gateway, issued);
        }
    }

    @Test
    void clientsRefuseCertificatesThatAreExpiredOrForeign() throws Exception {
        Issued expired = authority.issue("expired", "EC", "-startdate", "-10d", "-validity", "5");
        Issued foreign = new TestCertificates(directory, "stranger").issue("foreign", "EC");
        for (Issued each : new Issued[] {expired, foreign}) {
            each.write(certificate, key);
            try (TestGateway gateway = start()) {
                assertThatThrownBy(() -> send(request(gateway, "/v1/topics"))).isInstanceOf(SSLException.class);
                await(gateway, handshakes("failed"), 1);
                await(gateway, "talos_tls_handshakes_under_way", 0);
            }
        }
    }

    @Test
    void plainTextToTheTlsPortEndsTheConnection() throws Exception {
        try (TestGateway gateway = start();
                Socket socket = connectPlain(gateway)) {
            socket.getOutputStream()
                    .write("GET /v1/topics HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));
            awaitEnd(socket);

            await(gateway, handshakes("failed"), 1);
            assertServes(gateway);
        }
    }

    @Test
    void handshakeThatNeverEndsIsEnded() throws Exception {
        try (TestGateway gateway = start("tls.handshake-timeout", "500ms");
                Socket silent = connectPlain(gateway);
                Socket trickling = connectPlain(gateway)) {
            // A record of 512 bytes, of which one comes at a time: no idle timeout ends that.
            byte[] record = new byte[517];
            System.arraycopy(new byte[] {22, 3, 1, 2, 0, 1, 0, 1, (byte) 0xFC}, 0, record, 0, 9);
            trickling.setSoTimeout(20);
            assertThat(endsWhileSending(trickling, record)).isTrue();
            awaitEnd(silent);

            await(gateway, handshakes("timeout"), 2);
            await(gateway, "talos_tls_handshakes_under_way", 0);
        }
    }

    /** Sends byte by byte, waiting a moment for an answer after each; whether the connection ended meanwhile. */
    private static boolean endsWhileSending(Socket socket, byte[] bytes) {
        try {
            for (byte each : bytes) {
                socket.getOutputStream().write(each);
                try {
                    if (socket.getInputStream().read() < 0) {
                        return true;
                    }
                } catch (java.net.SocketTimeoutException e) {
                    // Goes on.
                }
            }
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    @Test
    void handshakesThatWaitKeepOnlySoManyPlaces() throws Exception {
        try (TestGateway gateway = start("tls.max-handshakes", "2")) {
            try (Socket first = connectPlain(gateway);
                    Socket second = connectPlain(gateway)) {
                await(gateway, "talos_tls_handshakes_under_way", 2);
                try (Socket third = connectPlain(gateway)) {
                    awaitEnd(third);
                }
                assertThat(gateway.metric(handshakes("refused"))).isEqualTo(1);
                assertThat(first.isClosed() || second.isClosed()).isFalse();
            }
            await(gateway, "talos_tls_handshakes_under_way", 0);
            assertServes(gateway);
        }
    }

    @Test
    void limitsOfPlainConnectionsHoldOverTls() throws Exception {
        try (TestGateway gateway = start("http.header-timeout", "3s", "http.idle-timeout", "10s")) {
            try (SSLSocket slow = connect(gateway)) {
                slow.startHandshake();
                slow.setSoTimeout(20);
                slow.getOutputStream().write("GET /v1/topics HTTP/1.1\r\n".getBytes(StandardCharsets.ISO_8859_1));
                assertThat(endsWhileSending(slow, "X".repeat(5_000).getBytes(StandardCharsets.ISO_8859_1)))
                        .isTrue();
            }
            try (SSLSocket idle = connect(gateway)) {
                idle.startHandshake();
                awaitEnd(idle);
            }
        }
    }

    @Test
    void connectionsOfOneAddressAreLimitedOverTlsToo() throws Exception {
        try (TestGateway gateway = start("http.max-connections-per-address", "2")) {
            for (int round = 0; round < 3; round++) {
                try (SSLSocket first = connect(gateway);
                        Socket second = connectPlain(gateway)) {
                    first.startHandshake();
                    await(gateway, "talos_connections", 2);
                    try (Socket third = connectPlain(gateway)) {
                        awaitEnd(third);
                    }
                    assertThat(gateway.metric("talos_connections_refused_total"))
                            .isEqualTo(round + 1);
                    assertThat(second.isClosed()).isFalse();
                }
                await(gateway, "talos_connections", 0);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"jdk,TLSv1.2", "jdk,TLSv1.3", "conscrypt,TLSv1.2", "conscrypt,TLSv1.3"})
    void getThatWaitsEndsWhenItsClientGoes(String provider, String protocol) throws Exception {
        try (TestGateway gateway = start("tls.provider", provider)) {
            createTopic(gateway);
            for (boolean properly : new boolean[] {true, false}) {
                Socket below = connectPlain(gateway);
                SSLSocket socket = (SSLSocket) trusting.getSocketFactory().createSocket(below, "127.0.0.1", 1, true);
                socket.setEnabledProtocols(new String[] {protocol});
                write(socket, waitingGet(gateway));
                await(gateway, "talos_gets_waiting", 1);
                if (properly) {
                    socket.close();
                } else {
                    below.setSoLinger(true, 0);
                    below.close();
                }
                await(gateway, "talos_gets_waiting", 0);
                await(gateway, "talos_requests_in_flight", 0);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"jdk", "conscrypt"})
    void nextRequestMayArriveWhileAGetWaits(String provider) throws Exception {
        try (TestGateway gateway = start("tls.provider", provider)) {
            createTopic(gateway);
            try (SSLSocket socket = connect(gateway)) {
                write(socket, waitingGet(gateway));
                await(gateway, "talos_gets_waiting", 1);
                write(
                        socket,
                        "GET /v1/topics HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: %s\r\n\r\n"
                                .formatted(TestGateway.basic(gateway.key())));
                send(request(gateway, MESSAGES)
                        .header("Content-Type", "application/octet-stream")
                        .POST(BodyPublishers.ofString("at last")));
                String answers = new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
                assertThat(answers).contains("at last", "\"topics\":[");
                assertThat(answers.split("HTTP/1.1 200 ", -1)).as(answers).hasSize(3);
            }
        }
    }

    private static final String MESSAGES = "/v1/topics/t/partitions/0/messages";

    private static void createTopic(TestGateway gateway) throws Exception {
        assertThat(send(request(gateway, "/v1/topics")
                                .header("Content-Type", "application/json")
                                .POST(BodyPublishers.ofString("{\"name\":\"t\",\"partitions\":1}")))
                        .statusCode())
                .isEqualTo(201);
    }

    private static String waitingGet(TestGateway gateway) {
        return "GET %s?offset=latest&value=text&wait=50s HTTP/1.1\r\nHost: x\r\nAuthorization: %s\r\n\r\n"
                .formatted(MESSAGES, TestGateway.basic(gateway.key()));
    }

    private static void write(SSLSocket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    @Test
    void certificateThatCannotBeUsedStopsTheStart() throws Exception {
        Files.delete(key);

        assertThatThrownBy(this::start)
                .isInstanceOf(IOException.class)
                .hasMessage("There is no file %s.".formatted(key));
    }
}
