package io.talosgateway.rest.http;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import io.talosgateway.rest.bootstrap.TestGateway;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/** What every method is answered on every path, and what Jetty itself refuses; over plain sockets. */
final class MethodsIT {

    private static final String OF_TOPIC = "/v1/topics/t";
    private static final String OF_PARTITION = "/v1/topics/t/partitions/0";
    private static final String MESSAGES = OF_PARTITION + "/messages";

    @TempDir
    static Path directory;

    private static TestGateway gateway;

    @BeforeAll
    static void start() throws Exception {
        gateway = TestGateway.start(directory, Map.of());
        assertThat(send("POST", "/v1/topics", "application/json", "{\"name\":\"t\",\"partitions\":1}").status)
                .isEqualTo(201);
    }

    @AfterAll
    static void stop() {
        gateway.close();
    }

    /** @param headers by lower-case name */
    private record Answer(int status, Map<String, String> headers, String body) {

        static Answer read(Socket socket) throws IOException {
            String all = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(all).contains("\r\n\r\n");
            int end = all.indexOf("\r\n\r\n");
            String[] lines = all.substring(0, end).split("\r\n");
            Map<String, String> headers = new TreeMap<>();
            Arrays.stream(lines).skip(1).forEach(line -> {
                int colon = line.indexOf(':');
                headers.put(
                        line.substring(0, colon).toLowerCase(java.util.Locale.ROOT),
                        line.substring(colon + 1).trim());
            });
            return new Answer(Integer.parseInt(lines[0].split(" ", -1)[1]), headers, all.substring(end + 4));
        }

        void isProblem(int expected, String code) {
            assertThat(status).as(body).isEqualTo(expected);
            assertThat(headers)
                    .containsEntry("content-type", "application/problem+json")
                    .containsEntry("x-content-type-options", "nosniff");
            assertThat(body).contains("\"code\":\"" + code + "\"", "\"status\":" + expected);
            assertThat(body).doesNotContain("jetty", "Exception", "java.");
        }
    }

    private static Answer raw(String request) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), gateway.port())) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            return Answer.read(socket);
        }
    }

    private static Answer send(String method, String target, String contentType, String body) throws IOException {
        return raw(
                "%s %s HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: %s\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s"
                        .formatted(method, target, TestGateway.basic(gateway.key()), contentType, body.length(), body));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            /                                  | GET, HEAD, OPTIONS
            /openapi.yaml                      | GET, HEAD, OPTIONS
            /v1/topics                         | GET, HEAD, OPTIONS, POST
            /v1/topics/t                       | DELETE, GET, HEAD, OPTIONS, PATCH
            /v1/topics/t/messages              | OPTIONS, POST
            /v1/topics/t/partitions            | GET, HEAD, OPTIONS
            /v1/topics/t/partitions/0          | GET, HEAD, OPTIONS
            /v1/topics/t/partitions/0/messages | GET, HEAD, OPTIONS, POST
            /v1/api/topic                      | POST, OPTIONS
            /v1/api/message                    | POST, OPTIONS
            """)
    void everyPathSaysWhichMethodsItHas(String path, String allowed) throws Exception {
        for (String method : new String[] {"PUT", "TRACE", "NONSENSE"}) {
            Answer refused = send(method, path, "application/x-thrift-compact", "");
            assertThat(refused.status).as(method).isEqualTo(405);
            assertThat(refused.headers).as(method).containsEntry("allow", allowed);
        }
        Answer asked = send("OPTIONS", path, "text/plain", "");
        assertThat(asked.status).isEqualTo(204);
        assertThat(asked.headers).containsEntry("allow", allowed).doesNotContainKey("content-length");
        assertThat(asked.body).isEmpty();
    }

    @Test
    void wherePathsAreNotThereIsNoMethod() throws Exception {
        send("OPTIONS", "/v1/nothing", "text/plain", "").isProblem(404, "not-found");
        send("HEAD", "/v1/nothing", "text/plain", "");
        send("OPTIONS", "*", "text/plain", "").isProblem(404, "not-found");
    }

    @Test
    void headHasTheHeadersOfGetAndNoBody() throws Exception {
        assertThat(send("POST", MESSAGES, "application/octet-stream", "hello").status)
                .isEqualTo(200);
        for (String target : new String[] {
            "/", "/openapi.yaml", "/v1/topics", OF_TOPIC, OF_TOPIC + "/partitions", OF_PARTITION, MESSAGES + "?offset=0"
        }) {
            Answer get = send("GET", target, "text/plain", "");
            Answer head = send("HEAD", target, "text/plain", "");
            for (Answer answer : List.of(get, head)) {
                answer.headers.keySet().removeAll(Set.of("date", "x-request-id"));
            }
            assertThat(head.status).as(target).isEqualTo(200);
            assertThat(head.headers).as(target).isEqualTo(get.headers).containsKey("content-length");
            assertThat(head.body).as(target).isEmpty();
            assertThat(get.body).as(target).isNotEmpty();
        }
        Answer unauthenticated = raw("HEAD /v1/topics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
        assertThat(unauthenticated.status).isEqualTo(401);
        assertThat(unauthenticated.body).isEmpty();
    }

    @Test
    void whatIsNotHttpHasCodesToo() throws Exception {
        String end = "Host: x\r\nConnection: close\r\n\r\n";
        raw("GET / HTTP/9.9\r\n" + end).isProblem(505, "http-version-not-supported");
        raw("GET /" + "x".repeat(20_000) + " HTTP/1.1\r\n" + end).isProblem(414, "uri-too-long");
        raw("GET / HTTP/1.1\r\nX: " + "x".repeat(20_000) + "\r\n" + end).isProblem(431, "headers-too-large");
        raw("GET /%zz HTTP/1.1\r\n" + end).isProblem(400, "malformed-request");
        Answer slash = raw("GET /v1/topics/a%2fb HTTP/1.1\r\n" + end);
        slash.isProblem(400, "malformed-request");
        assertThat(slash.body).contains("a name with a slash (%2F)");
        raw("GET / HTTP/1.1\r\nBad\u0000: x\r\n" + end).isProblem(400, "malformed-request");
        raw("GET / HTTP/1.1\r\nConnection: close\r\n\r\n").isProblem(400, "malformed-request");
        raw("hello\r\n\r\n").isProblem(400, "malformed-request");
        raw("POST / HTTP/1.1\r\nContent-Length: x\r\n" + end).isProblem(400, "malformed-request");
        raw("POST / HTTP/1.1\r\nTransfer-Encoding: nonsense\r\n" + end).isProblem(400, "malformed-request");
        raw("GET / HTTP/1.1\r\nExpect: miracles\r\n" + end).isProblem(417, "malformed-request");
        raw("POST / HTTP/1.1\r\nContent-Length: 99999999\r\n" + end).isProblem(413, "request-too-large");
    }
}
