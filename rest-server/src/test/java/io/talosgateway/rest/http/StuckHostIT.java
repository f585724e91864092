package io.talosgateway.rest.http;

import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.talosgateway.rest.Await;
import io.talosgateway.rest.bootstrap.TestGateway;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** A gateway all of whose request slots are taken by requests that do not end. */
final class StuckHostIT {

    private static final int SLOTS = 4;
    private static final String PATH = "/v1/topics/t/partitions/0/messages";

    @TempDir
    private Path directory;

    private static HttpResponse<String> readiness(TestGateway gateway) throws Exception {
        return gateway.ops("/health/ready");
    }

    /** Load balancers send no more requests to it, and send them again once it serves. */
    @Test
    void hostThatRefusesEverybodyIsNotReadyUntilARequestEnds() throws Exception {
        List<Socket> clients = new ArrayList<>();
        try (TestGateway gateway = TestGateway.start(
                directory,
                Map.of(
                        "admission.max-requests-in-flight", "" + SLOTS,
                        "admission.max-percent-per-key", "100",
                        "admission.max-percent-per-address", "100",
                        "http.request-timeout", "60s",
                        "http.body-timeout", "60s",
                        "http.min-rate", "1"))) {
            gateway.send(gateway.request("/v1/topics")
                    .POST(BodyPublishers.ofString("{\"name\":\"t\",\"partitions\":1}"))
                    .build());
            // A request is answered before its place is free.
            Await.asLongAs(() -> gateway.metric("talos_requests_in_flight") > 0);
            String head = "POST " + PATH + " HTTP/1.1\r\nHost: x\r\nAuthorization: " + TestGateway.basic(gateway.key())
                    + "\r\nContent-Type: application/octet-stream\r\nContent-Length: 101\r\n\r\n";
            for (int slot = 0; slot < SLOTS; slot++) {
                Socket client = new Socket(InetAddress.getLoopbackAddress(), gateway.port());
                clients.add(client);
                client.getOutputStream().write((head + "x".repeat(100)).getBytes(StandardCharsets.ISO_8859_1));
            }
            Await.asLongAs(() -> gateway.metric("talos_requests_in_flight") < SLOTS);
            assertThat(gateway.send(gateway.request("/v1/topics").build()).statusCode())
                    .isEqualTo(503);
            assertThat(readiness(gateway).statusCode())
                    .as("requests may end at any moment")
                    .isEqualTo(200);

            Await.asLongAs(() -> readiness(gateway).statusCode() == 200);
            assertThat(readiness(gateway).body()).contains("every request is refused, and none ends");

            for (Socket client : clients) {
                client.getOutputStream().write('x');
                assertThat(new String(client.getInputStream().readNBytes(12), StandardCharsets.ISO_8859_1))
                        .isEqualTo("HTTP/1.1 200");
            }
            assertThat(readiness(gateway).statusCode()).isEqualTo(200);
        } finally {
            for (Socket client : clients) {
                client.close();
            }
        }
    }
}
