package io.talosgateway.rest.http;

import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

import io.talosgateway.rest.bootstrap.TestGateway;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** Requests that ask when they pass which stages. */
final class StagesIT {

    private static final String TO_PARTITION = "/v1/topics/t/partitions/0/messages";

    private static final Pattern STAGE = Pattern.compile("([a-z]+)=(-?\\d+)");

    @TempDir
    static Path directory;

    private static TestGateway gateway;

    @BeforeAll
    static void start() throws Exception {
        gateway = TestGateway.start(directory, Map.of());
        gateway.send(gateway.request("/v1/topics")
                .POST(BodyPublishers.ofString("{\"name\":\"t\",\"partitions\":4}"))
                .build());
    }

    @AfterAll
    static void stop() {
        gateway.close();
    }

    private static HttpRequest.Builder put(String path, String body) {
        return gateway.request(path).header("Content-Type", "application/json").POST(BodyPublishers.ofString(body));
    }

    /** Its stages with their times, and before and after them when it was sent and when its answer was there. */
    private static Map<String, Long> stages(HttpRequest.Builder request) throws Exception {
        Map<String, Long> stages = new LinkedHashMap<>();
        stages.put("sent", System.nanoTime());
        HttpResponse<String> answer =
                gateway.send(request.header("Talos-Stages", "on").build());
        long answeredAtNanos = System.nanoTime();
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        String header = answer.headers().firstValue("Talos-Stages").orElseThrow();
        for (MatchResult stage : STAGE.matcher(header).results().toList()) {
            stages.put(stage.group(1), Long.valueOf(stage.group(2)));
        }
        stages.put("got", answeredAtNanos);
        return stages;
    }

    /** In this order, one not before the other. */
    private static void assertPassed(Map<String, Long> stages, String... names) {
        List<String> expected = new ArrayList<>(List.of("sent"));
        expected.addAll(List.of(names));
        expected.add("got");
        assertThat(stages.keySet()).containsExactlyElementsOf(expected);
        assertThat(stages.values().stream().map(time -> time - stages.get("sent")))
                .isSorted();
    }

    @Test
    void putPassesTheStorage() throws Exception {
        for (String path : List.of(TO_PARTITION, "/v1/topics/t/messages")) {
            assertPassed(
                    stages(put(path, "{\"messages\":[{\"value\":\"x\"}]}")),
                    "received",
                    "queued",
                    "started",
                    "writing",
                    "written",
                    "synced",
                    "answered");
        }
    }

    @Test
    void repeatPassesTheQueueOnly() throws Exception {
        HttpRequest.Builder put =
                put(TO_PARTITION, "{\"messages\":[{\"value\":\"x\"}]}").header("Idempotency-Key", "repeated");
        gateway.send(put.build());

        assertPassed(stages(put), "received", "queued", "started", "answered");
    }

    @Test
    void putToSeveralPartitionsHasNoStagesOfItsOwnInBetween() throws Exception {
        StringBuilder messages = new StringBuilder();
        for (int key = 0; key < 50; key++) {
            messages.append(key == 0 ? "" : ",").append("{\"value\":\"x\",\"key\":\"key-%d\"}".formatted(key));
        }

        assertPassed(stages(put("/v1/topics/t/messages", "{\"messages\":[" + messages + "]}")), "received", "answered");
    }

    @Test
    void getFromMemoryIsReadAtOnce() throws Exception {
        gateway.send(put(TO_PARTITION, "{\"messages\":[{\"value\":\"x\"}]}").build());

        assertPassed(stages(gateway.request(TO_PARTITION + "?offset=0")), "received", "read", "answered");
    }

    @Test
    void getFromStoragePassesTheQueue() throws Exception {
        gateway.send(put("/v1/topics/t/partitions/3/messages", "{\"messages\":[{\"value\":\"x\"}]}")
                .build());
        gateway.restart();

        assertPassed(
                stages(gateway.request("/v1/topics/t/partitions/3/messages?offset=0")),
                "received",
                "queued",
                "started",
                "read",
                "answered");
    }

    @Test
    void whoDoesNotAskIsNotTold() throws Exception {
        HttpResponse<String> answer = gateway.send(
                put(TO_PARTITION, "{\"messages\":[{\"value\":\"x\"}]}").build());

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Talos-Stages")).isEmpty();
    }

    @Test
    void whoIsNotPermittedIsNotTold() throws Exception {
        HttpResponse<String> answer = gateway.send(put(TO_PARTITION, "{\"messages\":[{\"value\":\"x\"}]}")
                .setHeader("Authorization", "Basic eDp5")
                .header("Talos-Stages", "on")
                .build());

        assertThat(answer.statusCode()).isEqualTo(401);
        assertThat(answer.headers().firstValue("Talos-Stages")).isEmpty();
    }

    @Test
    void otherValuesAreRefused() throws Exception {
        HttpResponse<String> answer = gateway.send(put(TO_PARTITION, "{\"messages\":[{\"value\":\"x\"}]}")
                .header("Talos-Stages", "yes")
                .build());

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).contains("The header Talos-Stages must be 'on', not 'yes'.");
    }
}
