package io.talosgateway.rest.http;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;

import io.talosgateway.rest.bootstrap.TestGateway;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** A page of another host changes nothing in the name of somebody whose browser keeps a key. */
final class ForeignPagesIT {

    private static final String MESSAGES = "/v1/topics/t/partitions/0/messages";
    private static final String JSON = "Content-Type: application/json";

    @TempDir
    static Path directory;

    private static TestGateway gateway;

    @BeforeAll
    static void start() throws Exception {
        gateway = TestGateway.start(
                directory, Map.of("http.allowed-origins", "https://console.example, http://10.0.0.1:8000"));
        assertThat(send("POST", "/v1/topics", topic("t"), JSON)).isEqualTo(201);
    }

    @AfterAll
    static void stop() {
        gateway.close();
    }

    private static String topic(String name) {
        return "{\"name\":\"" + name + "\",\"partitions\":1}";
    }

    /** The status of the answer. */
    private static int send(String method, String target, String body, String... headers) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), gateway.port())) {
            String request =
                    "%s %s HTTP/1.1\r\nHost: gateway.example:8080\r\nConnection: close\r\nAuthorization: %s\r\n%s\r\nContent-Length: %d\r\n\r\n%s"
                            .formatted(
                                    method,
                                    target,
                                    TestGateway.basic(gateway.key()),
                                    String.join("\r\n", headers),
                                    body.length(),
                                    body);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return Integer.parseInt(answer.split(" ", 3)[1]);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Type: text/plain",
                "Content-Type: text/plain; charset=application/json",
                "Content-Type: application/x-www-form-urlencoded",
                "Content-Type: multipart/form-data; boundary=x",
                "Content-Type: application/jsonx",
                "Content-Type:",
                "X-Nothing: x"
            })
    void typesThatBrowsersSendUnaskedChangeNothing(String type) throws Exception {
        assertThat(send("POST", "/v1/topics", topic("unasked"), type)).isEqualTo(415);
        assertThat(send("PATCH", "/v1/topics/t", "{\"partitions\":1}", type)).isEqualTo(415);
        assertThat(send("POST", MESSAGES, "{\"messages\":[{\"value\":\"x\"}]}", type))
                .isEqualTo(415);
        assertThat(send("POST", "/v1/api/topic", "x", type)).isEqualTo(415);
        assertThat(send("GET", "/v1/topics/unasked", "", "X-Nothing: x")).isEqualTo(404);
    }

    @Test
    void parametersOfTheTypeDoNotMatter() throws Exception {
        assertThat(send("POST", "/v1/topics", topic("charset"), "Content-Type: Application/JSON; charset=utf-8"))
                .isEqualTo(201);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://evil.example",
                "https://evil.example:8080",
                "http://gateway.example",
                "http://gateway.example:80801",
                "http://gateway.example:8080.evil.example",
                "https://console.example.evil",
                "http://console.example",
                "null",
                "gateway.example:8080",
                "http://gateway.example:8080, http://gateway.example:8080",
                ""
            })
    void otherOriginsChangeNothing(String origin) throws Exception {
        String header = "Origin: " + origin;
        assertThat(send("POST", "/v1/topics", topic("foreign"), JSON, header)).isEqualTo(403);
        assertThat(send("DELETE", "/v1/topics/t", "", header)).isEqualTo(403);
        assertThat(send("PATCH", "/v1/topics/t", "{\"partitions\":1}", JSON, header))
                .isEqualTo(403);
        assertThat(send("POST", MESSAGES, "x", "Content-Type: application/octet-stream", header))
                .isEqualTo(403);
        assertThat(send("GET", "/v1/topics/t", "", header)).isEqualTo(200);
        assertThat(send("GET", "/v1/topics/foreign", "", header)).isEqualTo(404);
    }

    @Test
    void twoOriginsAreRefused() throws Exception {
        String own = "Origin: http://gateway.example:8080";
        assertThat(send("POST", "/v1/topics", topic("two"), JSON, own, own)).isEqualTo(403);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://gateway.example:8080",
                "https://gateway.example:8080",
                "HTTP://Gateway.Example:8080",
                "https://console.example",
                "http://10.0.0.1:8000"
            })
    void ownPagesAndAllowedOnesMay(String origin) throws Exception {
        assertThat(send("POST", MESSAGES, "x", "Content-Type: application/octet-stream", "Origin: " + origin))
                .isEqualTo(200);
    }
}
