package io.talosgateway.rest.http.ops;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;

import io.talosgateway.rest.bootstrap.TestGateway;
import io.talosgateway.rest.tls.PemFiles;
import io.talosgateway.rest.tls.TestCertificates;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** Who may ask the operations port, and how. */
final class OpsIT {

    @TempDir
    Path directory;

    /** The answer to a request with this Host header, as it is on the wire. */
    private static String asked(int port, String request) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }

    private static String get(int port, String path, String host) throws IOException {
        return asked(port, "GET %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n".formatted(path, host));
    }

    @Test
    void pagesOfOtherSitesCannotReadIt() throws Exception {
        try (TestGateway gateway =
                TestGateway.start(directory, Map.of("ops.allowed-hosts", "Gateway.example.com, other.example.com"))) {
            int port = gateway.opsPort();
            for (String path : new String[] {"/metrics", "/health/live", "/health/ready", "/other"}) {
                for (String host :
                        new String[] {"evil.example.com", "evil.example.com:" + port, "127.0.0.1.evil.com"}) {
                    assertThat(get(port, path, host))
                            .startsWith("HTTP/1.1 421 ")
                            .contains("ops.allowed-hosts")
                            .doesNotContain("talos_");
                }
            }
            for (String host : new String[] {
                "127.0.0.1:" + port,
                "localhost",
                "LOCALHOST:1",
                "[::1]:" + port,
                "10.1.2.3",
                "gateway-1:8081",
                "gateway.example.com:8081",
                "OTHER.example.com"
            }) {
                assertThat(get(port, "/metrics", host)).as(host).startsWith("HTTP/1.1 200 ");
            }
        }
    }

    @Test
    void noAnswerIsTakenForAnotherKind() throws Exception {
        try (TestGateway gateway = TestGateway.start(directory)) {
            String expected = "\r\nX-Content-Type-Options: nosniff\r\n";
            for (int port : new int[] {gateway.opsPort(), gateway.port()}) {
                for (String path : new String[] {
                    "/metrics", "/health/ready", "/openapi.yaml", "/v1/topics", "/v1/api/topic?type=x", "/nothing"
                }) {
                    assertThat(get(port, path, "localhost")).as(path).containsOnlyOnce(expected);
                }
                assertThat(asked(port, "nonsense\r\n\r\n"))
                        .startsWith("HTTP/1.1 400 ")
                        .containsOnlyOnce(expected);
                assertThat(get(port, "/", "localhost\r\nX: " + "x".repeat(40_000)))
                        .startsWith("HTTP/1.1 431 ")
                        .containsOnlyOnce(expected);
            }
        }
    }

    @Test
    void metricsNeedTheKeyOfAnAdministratorAndHealthTellsNoReasons() throws Exception {
        try (TestGateway gateway = TestGateway.start(directory, Map.of("ops.require-key", "true"))) {
            assertThat(gateway.ops("/health/live").statusCode()).isEqualTo(200);
            HttpResponse<String> anonymous = gateway.ops("/health/ready");
            assertThat(anonymous.statusCode()).isEqualTo(200);
            assertThat(anonymous.body()).isEqualTo("ready\n");
            HttpResponse<String> refused = gateway.ops("/metrics");
            assertThat(refused.statusCode()).isEqualTo(401);
            assertThat(refused.headers().firstValue("WWW-Authenticate")).contains("Basic realm=\"talos-gateway\"");
            assertThat(refused.body()).doesNotContain("talos_");

            URI metrics = URI.create("http://127.0.0.1:" + gateway.opsPort() + "/metrics");
            assertThat(status(gateway, metrics, TestGateway.basic(gateway.addKey("somebody", false))))
                    .isEqualTo(403);
            assertThat(status(gateway, metrics, TestGateway.basic(gateway.key())))
                    .isEqualTo(200);
            assertThat(status(gateway, metrics, TestGateway.basic(gateway.key()) + "x"))
                    .isEqualTo(401);
            URI ready = URI.create("http://127.0.0.1:" + gateway.opsPort() + "/health/ready");
            assertThat(gateway.send(HttpRequest.newBuilder(ready)
                                    .header("Authorization", TestGateway.basic(gateway.key()))
                                    .build())
                            .body())
                    .isEqualTo("serving\n");
        }
    }

    @Test
    void consoleReachesTheJsonInterfaceWithAKey() throws Exception {
        try (TestGateway gateway = TestGateway.start(directory, Map.of("ops.require-key", "true"))) {
            assertThat(gateway.ops("/console/").statusCode()).isEqualTo(200);
            assertThat(gateway.ops("/v1/topics").statusCode()).isEqualTo(401);
            URI topics = URI.create("http://127.0.0.1:" + gateway.opsPort() + "/v1/topics");
            assertThat(status(gateway, topics, TestGateway.basic(gateway.key())))
                    .isEqualTo(200);
            HttpResponse<String> ofAnotherPage = gateway.send(HttpRequest.newBuilder(topics)
                    .header("Authorization", TestGateway.basic(gateway.key()))
                    .header("Origin", "https://evil.example.com")
                    .POST(HttpRequest.BodyPublishers.ofString("{\"name\":\"t\"}"))
                    .build());
            assertThat(ofAnotherPage.statusCode()).isEqualTo(403);
            assertThat(get(gateway.opsPort(), "/v1/topics", "evil.example.com")).startsWith("HTTP/1.1 421 ");
        }
    }

    private static int status(TestGateway gateway, URI uri, String authorization) throws Exception {
        return gateway.send(HttpRequest.newBuilder(uri)
                        .header("Authorization", authorization)
                        .build())
                .statusCode();
    }

    @Test
    void tlsUsesTheCertificateForClients() throws Exception {
        TestCertificates authority = new TestCertificates(directory, "authority");
        PemFiles files = authority
                .issue("gateway", "EC")
                .write(directory.resolve("certificate.pem"), directory.resolve("key.pem"));
        Map<String, String> settings = Map.of(
                "ops.tls",
                "true",
                "tls.port",
                "0",
                "tls.certificate",
                files.certificate().toString(),
                "tls.key",
                files.key().toString());
        try (TestGateway gateway = TestGateway.start(directory, settings)) {
            HttpClient client =
                    HttpClient.newBuilder().sslContext(authority.trusting()).build();
            URI ready = URI.create("https://127.0.0.1:" + gateway.opsPort() + "/health/ready");
            assertThat(client.send(HttpRequest.newBuilder(ready).build(), BodyHandlers.ofString())
                            .body())
                    .isEqualTo("serving\n");
            assertThat(get(gateway.opsPort(), "/metrics", "localhost")).doesNotContain("talos_");
        }
    }
}
