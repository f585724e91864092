package io.talosgateway.rest.http.rest;

import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.talosgateway.rest.auth.AccessKey;
import io.talosgateway.rest.bootstrap.TestGateway;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** How many topics and partitions may be created, and how they are listed in pages. */
final class TopicLimitsIT {

    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    Path directory;

    private TestGateway gateway;

    private JsonNode call(AccessKey key, String operationId, String method, String path, String body, int status)
            throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(gateway.endpoint() + "/v1/topics" + path))
                .header("Authorization", TestGateway.basic(key))
                .header("Content-Type", "application/json")
                .method(method, BodyPublishers.ofString(body))
                .build();
        HttpResponse<String> answer = gateway.send(request);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        assertThat(new OpenApiDocument()
                        .violations(
                                operationId,
                                status,
                                answer.headers().firstValue("Content-Type").orElse(""),
                                answer.body()))
                .isEmpty();
        return JSON.readTree(answer.body());
    }

    private JsonNode create(AccessKey key, String name, int partitions, int status) throws Exception {
        String body = "{\"name\":\"%s\",\"partitions\":%d}".formatted(name, partitions);
        return call(key, "createTopic", "POST", "", body, status);
    }

    private void isRefused(JsonNode answer, String detail) {
        assertThat(answer.get("code").asText()).isEqualTo("topic-limit-reached");
        assertThat(answer.get("retry").asText()).isEqualTo("never");
        assertThat(answer.get("detail").asText()).contains(detail, "Delete topics");
    }

    @Test
    void topicsAndPartitionsAreLimitedForEachOwnerAndForAll() throws Exception {
        try (TestGateway started = TestGateway.start(
                directory,
                Map.of(
                        "topic.max-topics", "6",
                        "topic.max-topics-per-owner", "3",
                        "topic.max-partitions-total", "30",
                        "topic.max-partitions-per-owner", "10"))) {
            gateway = started;
            AccessKey admin = gateway.key();
            AccessKey alice = gateway.addKey("alice", false);
            AccessKey bob = gateway.addKey("bob", false);
            create(alice, "a1", 1, 201);
            create(alice, "a2", 1, 201);
            create(alice, "a3", 1, 201);
            isRefused(
                    create(alice, "a4", 1, 403),
                    "has 3 topics; no more than 3 are allowed (topic.max-topics-per-owner)");
            isRefused(create(bob, "b1", 11, 403), "has 0 partitions; with 11 more, it would have more than 10");
            create(bob, "b1", 9, 201);
            isRefused(
                    call(bob, "changeTopic", "PATCH", "/b1", "{\"partitions\":11}", 403),
                    "has 9 partitions; with 2 more, it would have more than 10 (topic.max-partitions-per-owner)");
            call(bob, "changeTopic", "PATCH", "/b1", "{\"partitions\":10}", 200);
            call(bob, "changeTopic", "PATCH", "/b1", "{\"attributes\":{\"x\":\"y\"}}", 200);

            isRefused(
                    create(admin, "t1", 18, 403),
                    "The cluster has 13 partitions; with 18 more, there would be more than 30 (topic.max-partitions-total)");
            create(admin, "t1", 17, 201);
            call(alice, "deleteTopic", "DELETE", "/a1", "", 200);
            create(admin, "t2", 1, 201);
            isRefused(create(admin, "t3", 1, 403), "The cluster has 30 partitions");
            call(admin, "deleteTopic", "DELETE", "/b1", "", 200);
            create(admin, "t3", 1, 201);
            create(admin, "t4", 1, 201);
            isRefused(
                    create(admin, "t5", 1, 403),
                    "The cluster has 6 topics; no more than 6 are allowed (topic.max-topics)");
        }
    }

    @Test
    void topicsAreListedInPages() throws Exception {
        try (TestGateway started = TestGateway.start(directory, Map.of())) {
            gateway = started;
            AccessKey admin = gateway.key();
            AccessKey alice = gateway.addKey("alice", false);
            for (String name : List.of("t3", "t1", "t5", "t2", "t4")) {
                create(name.equals("t2") ? alice : admin, name, 1, 201);
            }

            List<List<String>> pages = new ArrayList<>();
            String query = "?limit=2";
            while (query != null) {
                JsonNode page = call(admin, "listTopics", "GET", query, "", 200);
                pages.add(page.findValuesAsText("name"));
                query = page.has("next") ? "?limit=2&after=" + page.get("next").asText() : null;
            }
            assertThat(pages).containsExactly(List.of("t1", "t2"), List.of("t3", "t4"), List.of("t5"));
            JsonNode all = call(admin, "listTopics", "GET", "", "", 200);
            assertThat(all.findValuesAsText("name")).containsExactly("t1", "t2", "t3", "t4", "t5");
            assertThat(all.has("next")).isFalse();
            assertThat(call(alice, "listTopics", "GET", "?limit=1", "", 200).findValuesAsText("name"))
                    .containsExactly("t2");
            call(admin, "listTopics", "GET", "?limit=0", "", 400);
            call(admin, "listTopics", "GET", "?after=-", "", 400);
            call(admin, "listTopics", "GET", "?page=2", "", 400);
        }
    }
}
