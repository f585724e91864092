package io.talosgateway.rest.bootstrap;

import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.talosgateway.rest.Await;
import org.eclipse.jetty.util.thread.Invocable.InvocationType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** The model that this gateway is compared with: hash placement, blocking dispatch, a file for each partition. */
final class ComparisonModesIT {

    private static final int PARTITIONS = 4;
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    static Path directory;

    private static TestGateway gateway;

    @BeforeAll
    static void start() throws Exception {
        gateway = TestGateway.start(
                directory,
                Map.of(
                        "dispatch.mode", "blocking",
                        "journal.layout", "file-per-partition",
                        "http.threads", "100",
                        "put.threads", "200",
                        "put.policy", "hash",
                        "get.threads", "200",
                        "get.policy", "hash"));
        create("compared");
    }

    private static void create(String topic) throws Exception {
        HttpResponse<String> created = gateway.send(gateway.request("/v1/topics")
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString("{\"name\": \"%s\", \"partitions\": %d}".formatted(topic, PARTITIONS)))
                .build());
        assertThat(created.statusCode()).as(created.body()).isEqualTo(201);
    }

    @AfterAll
    static void stop() {
        gateway.close();
    }

    private static CompletableFuture<HttpResponse<String>> sendAsync(HttpRequest request) {
        return gateway.client().sendAsync(request, HttpResponse.BodyHandlers.ofString());
    }

    private static HttpRequest put(String topic, int partition, String payload) {
        return gateway.request("/v1/topics/" + topic + "/partitions/" + partition + "/messages")
                .header("Content-Type", "application/octet-stream")
                .POST(BodyPublishers.ofString(payload))
                .build();
    }

    private static HttpRequest get(String topic, int partition, String query) {
        return gateway.request("/v1/topics/" + topic + "/partitions/" + partition + "/messages?" + query)
                .header("Accept", "application/json")
                .build();
    }

    @Test
    void putsAreStoredInOrderAndGetsFindThemAfterARestartToo() throws Exception {
        create("stored");
        List<CompletableFuture<HttpResponse<String>>> puts = new ArrayList<>();
        for (int number = 0; number < 200; number++) {
            puts.add(sendAsync(put("stored", number % PARTITIONS, "m" + number)));
        }
        for (CompletableFuture<HttpResponse<String>> put : puts) {
            assertThat(put.get().statusCode()).as(put.get().body()).isEqualTo(200);
        }
        assertEachPartitionHolds(50);
        gateway.restart();
        assertEachPartitionHolds(50);
    }

    private static void assertEachPartitionHolds(int messages) throws Exception {
        for (int partition = 0; partition < PARTITIONS; partition++) {
            HttpResponse<String> got = gateway.send(get("stored", partition, "offset=0&max-messages=1000"));
            JsonNode answer = JSON.readTree(got.body());
            assertThat(answer.get("messages")).as(got.body()).hasSize(messages);
        }
    }

    @Test
    void selectorsAreNotHeldByRequests() {
        assertThat(gateway.invocationType()).isEqualTo(InvocationType.BLOCKING);
    }

    @Test
    void getWaitsForAMessage() throws Exception {
        CompletableFuture<HttpResponse<String>> waiting = sendAsync(get("compared", 0, "offset=latest&wait=30s"));

        assertThat(gateway.send(put("compared", 0, "comes")).statusCode()).isEqualTo(200);

        assertThat(waiting.get().statusCode()).isEqualTo(200);
    }

    @Test
    void putHoldsItsWorkerUntilItIsStored() throws Exception {
        for (int number = 0; number < 20; number++) {
            assertThat(gateway.send(put("compared", 1, "m" + number)).statusCode())
                    .isEqualTo(200);
        }

        // A client has its answer before the worker counts its time.
        Await.until(() -> gateway.metric("talos_pool_run_seconds_count{pool=\"put\",}")
                >= gateway.metric("talos_put_storage_seconds_count"));
        double inPool = gateway.metric("talos_pool_run_seconds_sum{pool=\"put\",}");
        double inStorage = gateway.metric("talos_put_storage_seconds_sum");

        assertThat(inStorage).isPositive();
        assertThat(inPool).isGreaterThan(inStorage);
    }
}
