package io.talosgateway.rest.http;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;

import io.talosgateway.rest.bootstrap.TestGateway;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** A gateway that refuses every request, and in which none ends, says so to load balancers. */
@Timeout(60)
final class StuckIT {

    @TempDir
    Path directory;

    @Test
    void gatewayIsNotReadyWhileAdmissionIsStuck() throws Exception {
        try (TestGateway gateway = TestGateway.start(
                directory,
                Map.of("admission.max-requests-in-flight", "1", "http.body-timeout", "50s", "http.min-rate", "1KiB"))) {
            try (Socket holder = new Socket(InetAddress.getLoopbackAddress(), gateway.port())) {
                send(
                        holder,
                        "POST /v1/api/topic HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-thrift-compact\r\n"
                                + "Content-Length: 60000\r\n\r\n" + "x".repeat(50_000));
                while (gateway.metric("talos_requests_in_flight") < 1) {
                    Thread.onSpinWait();
                }
                HttpResponse<String> ready = gateway.ops("/health/ready");
                assertThat(ready.statusCode()).isEqualTo(200);
                while (ready.statusCode() == 200) {
                    assertThat(gateway.send(gateway.request("/v1/topics").build())
                                    .statusCode())
                            .isEqualTo(503);
                    ready = gateway.ops("/health/ready");
                }
                assertThat(ready.statusCode()).isEqualTo(503);
                assertThat(ready.body()).contains("overloaded");
                assertThat(gateway.ops("/health/live").statusCode()).isEqualTo(200);
            }
            while (gateway.metric("talos_requests_in_flight") > 0) {
                Thread.onSpinWait();
            }
            assertThat(gateway.ops("/health/ready").statusCode()).isEqualTo(200);
        }
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    }
}
