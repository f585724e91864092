package io.talosgateway.rest.bootstrap.rehearsal;

import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

import io.talosgateway.rest.Await;
import io.talosgateway.rest.bootstrap.TestGateway;
import io.talosgateway.rest.tls.TestCertificates;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** A rehearsal whose requests fail would be over as quietly as one that succeeds. */
final class RehearsalClientIT {

    @TempDir
    private Path directory;

    /** A request is counted after its client has the answer. */
    private static void assertAnswered(TestGateway gateway, String interfaceName, String requestClass, int times)
            throws Exception {
        String metric = "talos_requests_total{interface=\"%s\",class=\"%s\",outcome=\"ok\",}"
                .formatted(interfaceName, requestClass);
        assertThat(Await.value(() -> gateway.metric(metric), count -> count >= times))
                .as(metric)
                .isEqualTo(times);
    }

    private static void assertPutsAndGets(TestGateway gateway, String endpoint) throws Exception {
        RehearsalClient client = new RehearsalClient(1, endpoint, gateway.key());
        client.createTopic();
        AtomicInteger left = new AtomicInteger(16);

        client.putAndGet(() -> left.getAndDecrement() > 0);

        assertThat(left).as("rounds that did not take place").hasValue(-1);
        assertAnswered(gateway, "rest", "put", 16 + 2);
        assertAnswered(gateway, "rest", "get", 4);
        assertAnswered(gateway, "talos", "put", 16);
        assertAnswered(gateway, "talos", "get", 4);
    }

    @Test
    void putsAndGetsOnBothInterfaces() throws Exception {
        try (TestGateway gateway = TestGateway.start(directory)) {
            assertPutsAndGets(gateway, "http://127.0.0.1:" + gateway.port());

            String messages = gateway.send(
                            gateway.request("/v1/topics/rehearsal/partitions/1/messages?offset=earliest&value=text")
                                    .build())
                    .body();
            assertThat(messages).contains("\"value\":\"raw message ", "\"value\":\"message ");
        }
    }

    /** The connection that creates the topic lasts until round 0, the next until round 8. */
    @Test
    void beginsConnectionsAnewOverTls() throws Exception {
        Path certificate = directory.resolve("certificate.pem");
        Path key = directory.resolve("key.pem");
        new TestCertificates(directory, "authority").issue("gateway", "EC").write(certificate, key);
        try (TestGateway gateway = TestGateway.start(
                directory.resolve("data"),
                Map.of("tls.port", "0", "tls.certificate", certificate.toString(), "tls.key", key.toString()))) {
            assertPutsAndGets(gateway, "https://127.0.0.1:" + gateway.tlsPort());

            assertThat(gateway.metric("talos_tls_handshakes_total{outcome=\"done\",}"))
                    .isEqualTo(3);
        }
    }
}
