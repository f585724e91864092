package io.talosgateway.rest.bootstrap.rehearsal;

import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

import io.talosgateway.rest.Await;
import io.talosgateway.rest.bootstrap.TestGateway;
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

    @Test
    void putsAndGetsOnBothInterfaces() throws Exception {
        try (TestGateway gateway = TestGateway.start(directory)) {
            RehearsalClient client = new RehearsalClient(gateway.port(), gateway.key());
            client.createTopic();
            AtomicInteger left = new AtomicInteger(16);

            client.putAndGet(1, () -> left.getAndDecrement() > 0);

            assertThat(left).as("rounds that did not take place").hasValue(-1);
            assertAnswered(gateway, "rest", "put", 16 + 2);
            assertAnswered(gateway, "rest", "get", 4);
            assertAnswered(gateway, "talos", "put", 16);
            assertAnswered(gateway, "talos", "get", 4);
            String messages = gateway.send(
                            gateway.request("/v1/topics/rehearsal/partitions/1/messages?offset=earliest&value=text")
                                    .build())
                    .body();
            assertThat(messages).contains("\"value\":\"raw message ", "\"value\":\"message ");
        }
    }
}
