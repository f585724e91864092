package io.talosgateway.rest.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.talosgateway.rest.Await;
import io.talosgateway.rest.bootstrap.TestGateway;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** Wrong requests and clients that vanish at any byte, in larger numbers than there are slots: none is lost. */
final class NothingLeaksIT {

    private static final String PATH = "/v1/topics/t/partitions/0/messages";
    private static final int SLOTS = 8;

    @TempDir
    static Path directory;

    private static TestGateway gateway;

    @BeforeAll
    static void start() throws Exception {
        gateway = TestGateway.start(
                directory,
                Map.of(
                        "admission.max-requests-in-flight",
                        "" + SLOTS,
                        "http.header-timeout",
                        "1s",
                        "http.body-timeout",
                        "1s",
                        "http.max-body-size",
                        "1MiB"));
        gateway.send(gateway.request("/v1/topics")
                .POST(BodyPublishers.ofString("{\"name\":\"t\",\"partitions\":1}"))
                .build());
        for (int put = 0; put < 4; put++) {
            gateway.send(gateway.request(PATH)
                    .header("Content-Type", "application/octet-stream")
                    .POST(BodyPublishers.ofByteArray(new byte[1 << 20]))
                    .build());
        }
    }

    @AfterAll
    static void stop() {
        gateway.close();
    }

    @AfterEach
    void nothingIsLeftBehind() throws Exception {
        // Connections are accepted in turn: those of clients that have gone are accepted by now.
        exchange(request("GET", "/openapi.yaml", "", ""));
        // The one that is left is the test's own, which is kept open.
        Await.asLongAs(() -> gateway.metric("talos_connections") > 1);
        awaitNothing();
        assertThat(exchange(request("POST", PATH, "Content-Type: application/octet-stream\r\n", "well")))
                .startsWith("HTTP/1.1 200");
        awaitNothing();
    }

    private static void awaitNothing() throws Exception {
        Await.asLongAs(
                () -> gateway.metric("talos_requests_in_flight", "talos_bytes_in_flight", "talos_gets_waiting") > 0);
    }

    private static byte[] request(String method, String target, String headers, String body) {
        return (method + " " + target + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: "
                        + TestGateway.basic(gateway.key()) + "\r\n" + headers + "Content-Length: "
                        + body.length() + "\r\n\r\n" + body)
                .getBytes(StandardCharsets.ISO_8859_1);
    }

    private static String exchange(byte[] request) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), gateway.port())) {
            socket.getOutputStream().write(request);
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }

    private static void assertRefused(String status, String code, byte[] request) throws Exception {
        for (int time = 0; time < 2 * SLOTS; time++) {
            String answer = exchange(request);
            assertThat(answer).startsWith("HTTP/1.1 " + status).contains(code);
            // The client has its answer before the request has ended.
            awaitNothing();
        }
    }

    private static final String COMPACT = "Content-Type: application/x-thrift-compact\r\n";
    private static final String JSON = "Content-Type: application/json\r\n";
    private static final String MALFORMED = "\"code\":\"malformed-request\"";
    private static final String TALOS_MALFORMED = "Talos-Error: malformed-request";

    @Test
    void badQueryIsRefusedAsSuch() throws Exception {
        for (String query : List.of("%zz", "type=%zz", "a=%", "a=%ff%fe", "%zz=1&type=x")) {
            for (String contentType : List.of(COMPACT, COMPACT.replace("compact", "binary"))) {
                for (String service : List.of("topic", "message")) {
                    assertRefused(
                            "400",
                            TALOS_MALFORMED,
                            request("POST", "/v1/api/" + service + "?" + query, contentType, "x"));
                }
            }
            assertRefused("400", MALFORMED, request("GET", "/openapi.yaml?" + query, "", ""));
            assertRefused("400", MALFORMED, request("GET", "/v1/topics?" + query, "", ""));
            assertRefused("400", MALFORMED, request("POST", PATH + "?" + query, JSON, "{}"));
        }
    }

    @Test
    void badQueryIsRefusedWithoutAKeyToo() throws Exception {
        for (String target : List.of("/openapi.yaml?%zz", "/?%zz")) {
            String head = "GET " + target + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
            assertRefused("400", MALFORMED, head.getBytes(StandardCharsets.ISO_8859_1));
        }
    }

    @Test
    void badHeadersAreRefusedAsSuch() throws Exception {
        for (String header : List.of("Talos-Timeout-Ms: x", "Talos-Stages: maybe", "Idempotency-Key: ")) {
            assertRefused(
                    "400",
                    MALFORMED,
                    request("POST", PATH, JSON + header + "\r\n", "{\"messages\":[{\"value\":\"x\"}]}"));
        }
        assertRefused("415", "unsupported-media-type", request("POST", PATH, "Content-Encoding: br\r\n" + JSON, "{}"));
        assertRefused("400", MALFORMED, request("POST", PATH, "Content-Encoding: gzip\r\n" + JSON, "{}"));
        assertRefused("406", "not-acceptable", request("GET", PATH + "?offset=0", "Accept: image/png\r\n", ""));
        assertRefused(
                "401",
                "Talos-Error: unauthenticated",
                "POST /v1/api/topic HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/x-thrift-compact\r\nAuthorization: Galaxy-V3 a:b\r\nX-Xiaomi-Timestamp: x\r\nContent-Length: 1\r\n\r\nx"
                        .getBytes(StandardCharsets.ISO_8859_1));
    }

    @Test
    void bytesThatNoCodecReadsAreRefusedAsSuch() throws Exception {
        for (String format : List.of("compact", "binary", "json")) {
            for (String body : List.of("x", "\u0000", "{\"x\":", "\u0082!\u0001\fputMessage", "[1,\"x\",7")) {
                assertRefused(
                        "400",
                        TALOS_MALFORMED,
                        request(
                                "POST",
                                "/v1/api/message",
                                "Content-Type: application/x-thrift-" + format + "\r\n",
                                body));
            }
        }
        for (String body : List.of("", "x", "{", "[]", "{\"messages\":[[]]}", "{\"messages\":{\"a\":1}}", "null")) {
            assertRefused("400", MALFORMED, request("POST", PATH, JSON, body));
        }
    }

    /** Ends the connection in order, or by a reset. */
    private static void sendAndVanish(byte[] request, int length, boolean reset) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), gateway.port())) {
            socket.getOutputStream().write(request, 0, length);
            if (reset) {
                socket.setSoLinger(true, 0);
            }
        }
    }

    @Test
    void clientMayVanishAfterAnyByte() throws Exception {
        List<byte[]> requests = new ArrayList<>(List.of(
                request("POST", PATH, "Content-Type: application/octet-stream\r\n", "payload"),
                request("POST", PATH, JSON + "Expect: 100-continue\r\n", "{\"messages\":[{\"value\":\"x\"}]}"),
                request("POST", "/v1/api/message?type=putMessage", COMPACT, "\u0082!\u0001"),
                request("GET", PATH + "?offset=latest&wait=100ms", "", "")));
        ByteArrayOutputStream chunked = new ByteArrayOutputStream();
        chunked.writeBytes(("POST " + PATH + " HTTP/1.1\r\nHost: x\r\nAuthorization: "
                        + TestGateway.basic(gateway.key())
                        + "\r\nContent-Type: application/octet-stream\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n")
                .getBytes(StandardCharsets.ISO_8859_1));
        requests.add(chunked.toByteArray());
        for (byte[] request : requests) {
            for (int length = 0; length <= request.length; length++) {
                sendAndVanish(request, length, length % 2 == 0);
            }
            awaitNothing();
        }
    }

    @Test
    void clientMayVanishWhileItsAnswerIsWritten() throws Exception {
        byte[] get = request("GET", PATH + "?offset=0&max-bytes=10000000", "", "");
        for (int time = 0; time < 2 * SLOTS; time++) {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), gateway.port())) {
                socket.getOutputStream().write(get);
                assertThat(socket.getInputStream().readNBytes(15 + time * 1000)).startsWith('H', 'T', 'T', 'P');
                socket.setSoLinger(true, 0);
            }
            awaitNothing();
        }
    }
}
