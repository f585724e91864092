package io.talosgateway.rest.http;

import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.talosgateway.rest.auth.AccessKey;
import io.talosgateway.rest.bootstrap.TestGateway;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** The audit log of a whole gateway. */
final class AuditIT {

    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    Path directory;

    @Test
    void changesAndRefusalsAreThereAndNothingElse() throws Exception {
        Path file = directory.resolve("audit.log");
        String adminId;
        String madeId;
        try (TestGateway gateway =
                TestGateway.start(directory.resolve("data"), Map.of("audit.file", file.toString()))) {
            adminId = gateway.key().id();
            gateway.send(gateway.request("/v1/topics")
                    .header("Content-Type", "application/json")
                    .header("X-Request-Id", "req-7")
                    .POST(BodyPublishers.ofString("{\"name\":\"orders\",\"partitions\":1}"))
                    .build());
            gateway.send(gateway.request("/v1/topics/orders").build());
            gateway.send(gateway.request("/v1/topics/orders/messages")
                    .header("Content-Type", "application/octet-stream")
                    .POST(BodyPublishers.ofString("x"))
                    .build());
            AccessKey wrong = new AccessKey(adminId, "not the secret", "any", null, false, 0);
            gateway.send(gateway.request("/v1/topics/orders")
                    .setHeader("Authorization", TestGateway.basic(wrong))
                    .build());
            AccessKey made = made(gateway.send(gateway.request("/v1/keys")
                            .header("Content-Type", "application/json")
                            .POST(BodyPublishers.ofString("{\"owner\":\"app\"}"))
                            .build())
                    .body());
            madeId = made.id();
            gateway.send(gateway.request("/v1/keys")
                    .setHeader("Authorization", TestGateway.basic(made))
                    .build());
            gateway.send(gateway.request("/v1/topics/none").DELETE().build());
        }

        List<JsonNode> lines =
                Files.readAllLines(file).stream().map(AuditIT::parsed).toList();
        assertThat(lines)
                .extracting(line -> String.join(
                        " ",
                        line.path("principal").asText(),
                        line.path("key").asText("-"),
                        line.path("claimedKey").asText("-"),
                        line.path("operation").asText("-"),
                        line.path("target").asText(),
                        line.path("outcome").asText(),
                        line.path("requestId").asText("-").replaceFirst("^[0-9a-f]{16}$", "own")))
                .containsExactlyInAnyOrder(
                        "tester " + adminId + " - createTopic /v1/topics/orders ok req-7",
                        "guest - " + adminId + " describeTopic /v1/topics/orders unauthenticated own",
                        "tester " + adminId + " - createKey /v1/keys/" + madeId + " ok own",
                        "app " + madeId + " - listKeys /v1/keys permission-denied own",
                        "tester " + adminId + " - deleteTopic /v1/topics/none topic-not-found own");
        assertThat(lines).allSatisfy(line -> {
            assertThat(line.path("address").asText()).isEqualTo("127.0.0.1");
            assertThat(line.path("time").asText()).startsWith("20");
        });
        assertThat(Files.readString(file)).doesNotContain("secret");
    }

    private static AccessKey made(String body) throws Exception {
        JsonNode json = JSON.readTree(body);
        return new AccessKey(json.get("id").asText(), json.get("secret").asText(), "any", null, false, 0);
    }

    private static JsonNode parsed(String line) {
        try {
            return JSON.readTree(line);
        } catch (IOException e) {
            throw new AssertionError(line, e);
        }
    }
}
