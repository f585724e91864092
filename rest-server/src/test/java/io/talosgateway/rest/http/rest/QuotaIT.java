package io.talosgateway.rest.http.rest;

import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.talosgateway.rest.bootstrap.TestGateway;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** Quotas of topics on the JSON interface, and what exceeds them. */
final class QuotaIT {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final AtomicInteger topics = new AtomicInteger();

    @TempDir
    static Path directory;

    private static TestGateway gateway;

    private String topic;

    @BeforeAll
    static void start() throws IOException {
        gateway = TestGateway.start(directory);
    }

    @AfterAll
    static void stop() {
        gateway.close();
    }

    @BeforeEach
    void createTopic() throws Exception {
        topic = "topic-" + topics.incrementAndGet();
        HttpResponse<String> created = gateway.send(gateway.request("/v1/topics")
                .POST(BodyPublishers.ofString("{\"name\":\"" + topic + "\",\"partitions\":2}"))
                .build());
        assertThat(created.statusCode()).as(created.body()).isEqualTo(201);
    }

    private HttpResponse<String> quota(String method, String body) throws Exception {
        return gateway.send(gateway.request("/v1/topics/" + topic + "/quota")
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
                .build());
    }

    private void setQuota(String json) throws Exception {
        HttpResponse<String> set = quota("PUT", json);
        assertThat(set.statusCode()).as(set.body()).isEqualTo(200);
    }

    private HttpResponse<String> put(int partition, int bytes) throws Exception {
        return gateway.send(gateway.request("/v1/topics/" + topic + "/partitions/" + partition + "/messages")
                .POST(BodyPublishers.ofString("{\"messages\":[{\"value\":\"" + "m".repeat(bytes) + "\"}]}"))
                .build());
    }

    private HttpResponse<String> get(int partition) throws Exception {
        return gateway.send(
                gateway.request("/v1/topics/" + topic + "/partitions/" + partition + "/messages?offset=earliest")
                        .build());
    }

    private static void assertRefused(HttpResponse<String> response, String code, long minWait, long maxWait)
            throws IOException {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(429);
        JsonNode problem = JSON.readTree(response.body());
        assertThat(problem.get("code").asText()).isEqualTo(code);
        assertThat(problem.get("detail").asText()).contains("quota");
        assertThat(response.headers().firstValueAsLong("Retry-After").orElseThrow())
                .isBetween(minWait, maxWait);
    }

    @Test
    void quotaIsSetShownAndTakenAway() throws Exception {
        JsonNode none = JSON.readTree(quota("GET", "").body());
        assertThat(none.get("topic").asText()).isEqualTo(topic);
        assertThat(none.has("spaceBytes")).isFalse();
        assertThat(none.get("usedBytes").asLong()).isZero();

        setQuota("{\"spaceBytes\":5000,\"putRequestsPerSecond\":5,\"getBytesPerSecond\":7}");
        put(0, 1_000);
        JsonNode set = JSON.readTree(quota("GET", "").body());
        assertThat(set.get("spaceBytes").asLong()).isEqualTo(5_000);
        assertThat(set.get("putRequestsPerSecond").asLong()).isEqualTo(5);
        assertThat(set.has("putBytesPerSecond")).isFalse();
        assertThat(set.get("getBytesPerSecond").asLong()).isEqualTo(7);
        assertThat(set.get("usedBytes").asLong()).isBetween(1_000L, 1_200L);

        assertThat(quota("DELETE", "").statusCode()).isEqualTo(200);
        assertThat(JSON.readTree(quota("GET", "").body()).has("spaceBytes")).isFalse();
    }

    @Test
    void wrongQuotasAreRefused() throws Exception {
        for (String wrong : List.of(
                "{\"spaceBytes\":0}",
                "{\"putRequestsPerSecond\":-1}",
                "{\"getBytesPerSecond\":-5}",
                "{\"putsPerSecond\":1}",
                "{\"spaceBytes\":\"many\"}",
                "[]",
                "{")) {
            HttpResponse<String> refused = quota("PUT", wrong);
            assertThat(refused.statusCode()).as(wrong).isEqualTo(400);
        }
        assertThat(put(0, 100).statusCode()).isEqualTo(200);
    }

    @Test
    void putsBeyondTheRateAreRefusedWhateverThePartition() throws Exception {
        setQuota("{\"putRequestsPerSecond\":5}");
        long beganNanos = System.nanoTime();
        int stored = 0;
        for (int count = 0; count < 20; count++) {
            HttpResponse<String> response = put(count % 2, 10);
            if (response.statusCode() == 200) {
                stored++;
            } else {
                assertRefused(response, "throttled", 1, 1);
            }
        }
        double seconds = (System.nanoTime() - beganNanos) / 1e9;
        assertThat((double) stored).isBetween(5.0, 5 * (seconds + 1));
        assertThat(get(0).statusCode()).isEqualTo(200);
    }

    @Test
    void putOfManyBytesIsStoredAndPaidForByWaiting() throws Exception {
        setQuota("{\"putBytesPerSecond\":1}");
        assertThat(put(0, 1_000).statusCode()).isEqualTo(200);
        assertRefused(put(1, 1), "throttled", 900, 1_100);
        setQuota("{\"putBytesPerSecond\":1000000}");
        assertThat(put(1, 1).statusCode()).as("after a new quota").isEqualTo(200);
    }

    /** Which chooses a partition, and gives its answer. */
    @Test
    void putToTheTopicIsRefusedAsOneToItsPartition() throws Exception {
        setQuota("{\"putBytesPerSecond\":1}");
        assertThat(put(0, 1_000).statusCode()).isEqualTo(200);
        HttpResponse<String> refused = gateway.send(gateway.request("/v1/topics/" + topic + "/messages")
                .POST(BodyPublishers.ofString("{\"messages\":[{\"value\":\"m\"}]}"))
                .build());
        assertRefused(refused, "throttled", 900, 1_100);
        assertThat(JSON.readTree(refused.body()).get("requestId").asText()).isNotEmpty();
    }

    @Test
    void getsBeyondTheRateAreRefused() throws Exception {
        put(0, 1_000);
        setQuota("{\"getBytesPerSecond\":1}");
        assertThat(get(0).statusCode()).isEqualTo(200);
        assertRefused(get(0), "throttled", 900, 1_100);
        assertThat(put(0, 1).statusCode()).as("a put").isEqualTo(200);
    }

    @Test
    void putsBeyondTheSpaceAreRefusedUntilThereIsRoom() throws Exception {
        setQuota("{\"spaceBytes\":3000}");
        assertThat(put(0, 1_000).statusCode()).isEqualTo(200);
        assertThat(put(1, 1_000).statusCode()).isEqualTo(200);
        assertRefused(put(0, 1_000), "quota-exceeded", 60, 60);
        assertThat(put(1, 100).statusCode()).as("a small one").isEqualTo(200);
        assertThat(get(0).statusCode()).isEqualTo(200);
        setQuota("{\"spaceBytes\":4000}");
        assertThat(put(0, 1_000).statusCode()).isEqualTo(200);
    }
}
