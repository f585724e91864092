package io.talosgateway.rest.http.rest;

import java.net.URLEncoder;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.talosgateway.rest.auth.KeyFile;
import io.talosgateway.rest.bootstrap.TestGateway;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** All lists have pages. */
final class PagingIT {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final List<String> LISTS =
            List.of("/v1/topics", "/v1/topics/t-0/partitions", "/v1/topics/t-0/permissions", "/v1/keys");

    @TempDir
    static Path directory;

    private static TestGateway gateway;
    private static OpenApiDocument document;

    @BeforeAll
    static void start() throws Exception {
        document = new OpenApiDocument();
        // Before the gateway starts: it may look a second later for keys that are added while it runs.
        for (int number = 0; number < 5; number++) {
            KeyFile.create(directory.resolve("keys.json"), "of the file " + number, false, InstantSource.system());
        }
        gateway = TestGateway.start(
                directory, Map.of("auth.key-encryption-secret", "a secret of at least 32 characters for keys"));
        for (int number = 0; number < 5; number++) {
            assertThat(post("/v1/topics", "{\"name\":\"t-" + number + "\",\"partitions\":5}"))
                    .isEqualTo(201);
            gateway.grant("t-0", "principal%20" + number + "%26%2B%C3%A4", "get");
            assertThat(post("/v1/keys", "{\"owner\":\"of the cluster\"}")).isEqualTo(201);
        }
    }

    @AfterAll
    static void stop() {
        gateway.close();
    }

    private static int post(String path, String body) throws Exception {
        return gateway.send(gateway.request(path)
                        .POST(BodyPublishers.ofString(body))
                        .build())
                .statusCode();
    }

    private static String operation(String path) {
        String list = path.substring(path.lastIndexOf('/') + 1);
        return "list" + Character.toUpperCase(list.charAt(0)) + list.substring(1);
    }

    private static JsonNode list(String path, String query) throws Exception {
        HttpResponse<String> answer = gateway.send(gateway.request(path + query).build());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(document.violations(operation(path), 200, "application/json", answer.body()))
                .isEmpty();
        return JSON.readTree(answer.body());
    }

    private static List<JsonNode> entries(JsonNode page) {
        for (String name : List.of("topics", "partitions", "grants", "keys")) {
            if (page.path(name).isArray()) {
                List<JsonNode> entries = new ArrayList<>();
                for (JsonNode entry : page.get(name)) {
                    // It changes from minute to minute.
                    ((ObjectNode) entry).remove("lastUsedAtMs");
                    entries.add(entry);
                }
                return entries;
            }
        }
        throw new AssertionError(page.toString());
    }

    @Test
    void pagesTogetherAreTheList() throws Exception {
        for (String path : LISTS) {
            JsonNode whole = list(path, "");
            assertThat(entries(whole)).hasSize(path.equals("/v1/keys") ? 11 : 5);
            assertThat(whole.has("next")).isFalse();
            for (int limit : new int[] {1, 2, 5, 1_000, 100_000}) {
                List<JsonNode> seen = new ArrayList<>();
                String query = "?limit=" + limit;
                while (query != null) {
                    JsonNode page = list(path, query);
                    assertThat(entries(page)).hasSizeBetween(1, limit);
                    seen.addAll(entries(page));
                    JsonNode next = page.get("next");
                    query = next == null
                            ? null
                            : "?limit=" + limit + "&after=" + URLEncoder.encode(next.asText(), StandardCharsets.UTF_8);
                }
                assertThat(seen).as("%s, %d at a time", path, limit).isEqualTo(entries(whole));
            }
        }
    }

    @Test
    void topicsAreFoundByPrefix() throws Exception {
        assertThat(entries(list("/v1/topics", "?prefix=t-"))).hasSizeGreaterThanOrEqualTo(5);
        assertThat(entries(list("/v1/topics", "?prefix=t-3")))
                .extracting(topic -> topic.get("name").asText())
                .containsExactly("t-3");
        assertThat(entries(list("/v1/topics", "?prefix=t-&limit=2&after=t-1")))
                .extracting(topic -> topic.get("name").asText())
                .containsExactly("t-2", "t-3");
        assertThat(entries(list("/v1/topics", "?prefix=T-"))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"limit=0", "limit=x", "limit=-1", "limit=", "page=2"})
    void otherParametersAreRefused(String query) throws Exception {
        for (String path : LISTS) {
            HttpResponse<String> answer =
                    gateway.send(gateway.request(path + "?" + query).build());
            assertThat(answer.statusCode()).as(path).isEqualTo(400);
            assertThat(answer.body()).contains("malformed-request");
        }
    }

    @Test
    void otherPlacesAreRefused() throws Exception {
        for (String path : List.of("/v1/topics/t-0/partitions?after=x", "/v1/keys?after=x")) {
            assertThat(gateway.send(gateway.request(path).build()).statusCode()).isEqualTo(400);
        }
    }
}
