package io.talosgateway.rest.http.rest;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPOutputStream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.talosgateway.rest.Await;
import io.talosgateway.rest.auth.AccessKey;
import io.talosgateway.rest.bootstrap.TestGateway;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/** The JSON interface of a whole gateway. Every answer is checked against {@code openapi.yaml}. */
final class RestInterfaceIT {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final AtomicInteger topics = new AtomicInteger();

    @TempDir
    static Path directory;

    private static TestGateway gateway;
    private static OpenApiDocument openApi;

    @BeforeAll
    static void start() throws IOException {
        gateway = TestGateway.start(
                directory, Map.of("http.max-body-size", "64KiB", "message.max-size", "20KiB", "fetch.max-wait", "20s"));
        openApi = new OpenApiDocument();
    }

    @AfterAll
    static void stop() {
        gateway.close();
    }

    private record Answer(HttpResponse<String> response, JsonNode json) {
        int status() {
            return response.statusCode();
        }

        String header(String name) {
            return response.headers().firstValue(name).orElse("");
        }

        void isProblem(int status, String code, String retry) {
            assertThat(status()).as(response.body()).isEqualTo(status);
            assertThat(json.get("code").asText()).isEqualTo(code);
            assertThat(json.get("retry").asText()).isEqualTo(retry);
            assertThat(json.get("detail").asText()).isNotBlank();
        }
    }

    private static Answer send(String operationId, HttpRequest.Builder request) throws Exception {
        HttpResponse<String> response = gateway.send(request.build());
        String type = response.headers().firstValue("Content-Type").orElse("");
        assertThat(openApi.violations(operationId, response.statusCode(), type, response.body()))
                .isEmpty();
        boolean json = type.equals("application/json") || type.equals("application/problem+json");
        return new Answer(response, json ? JSON.readTree(response.body()) : null);
    }

    private static HttpRequest.Builder json(String path, String method, String body) {
        return gateway.request(path)
                .header("Content-Type", "application/json")
                .method(method, BodyPublishers.ofString(body));
    }

    private static String newTopic(int partitions) throws Exception {
        String name = "topic-" + topics.incrementAndGet();
        Answer created = send(
                "createTopic",
                json("/v1/topics", "POST", "{\"name\":\"%s\",\"partitions\":%d}".formatted(name, partitions)));
        assertThat(created.status()).isEqualTo(201);
        return name;
    }

    private static Answer put(String topic, int partition, String messages) throws Exception {
        return send("putToPartition", json(partitionPath(topic, partition), "POST", "{\"messages\":" + messages + "}"));
    }

    private static String partitionPath(String topic, int partition) {
        return "/v1/topics/" + topic + "/partitions/" + partition + "/messages";
    }

    private static Answer get(String topic, int partition, String query) throws Exception {
        return send("getMessages", gateway.request(partitionPath(topic, partition) + "?" + query));
    }

    @Test
    void documentAndHandlersHaveTheSameOperations() throws Exception {
        // The routes are those of the running gateway: each is reached, and none other is documented.
        Set<String> documented = new HashSet<>(openApi.operations());
        assertThat(documented)
                .containsExactlyInAnyOrderElementsOf(RestRoutesTest.routes().stream()
                        .map(route -> route.operationId() + " " + route.method() + " " + route.template())
                        .toList());
        Answer served = send("getOpenApi", gateway.request("/openapi.yaml"));
        try (var in = RestInterfaceIT.class.getResourceAsStream("/openapi.yaml")) {
            assertThat(served.response.body()).isEqualTo(new String(in.readAllBytes(), UTF_8));
        }
        assertThat(send("getIndex", gateway.request("/")).json.get("openapi").asText())
                .isEqualTo("/openapi.yaml");
    }

    @Test
    void clusterAndHostAreDescribed() throws Exception {
        String name = newTopic(3);
        assertThat(put(name, 0, "[{\"value\":\"counted\"}]").status()).isEqualTo(200);
        JsonNode cluster = send("describeCluster", gateway.request("/v1/cluster")).json;
        assertThat(cluster.get("serving").asBoolean()).isTrue();
        assertThat(cluster.get("controller").asBoolean()).isTrue();
        assertThat(cluster.get("served").asInt()).isGreaterThanOrEqualTo(3);
        JsonNode host = cluster.get("hosts").get(0);
        assertThat(host.get("name").asText()).isEqualTo("gateway-1");
        assertThat(host.get("state").asText()).isEqualTo("serving");
        assertThat(host.get("partitions").asInt())
                .isEqualTo(cluster.get("partitions").asInt());

        JsonNode figures = send("describeHost", gateway.request("/v1/host")).json;
        assertThat(figures.get("host").asText()).isEqualTo("gateway-1");
        assertThat(figures.get("latencies").get(0).get("buckets")).isNotEmpty();
        assertThat(figures.get("pools")).hasSize(3);
        assertThat(figures.get("lanes")).isNotEmpty();
        for (String counted : List.of(
                "receivedBytes",
                "sentBytes",
                "committedBytes",
                "storedBytes",
                "requestsInFlight",
                "connections",
                "cpuSeconds",
                "processors",
                "heapBytes",
                "maxHeapBytes")) {
            assertThat(figures.get(counted).asDouble()).as(counted).isPositive();
        }
        assertThat(figures.get("requests")).anySatisfy(requests -> {
            assertThat(requests.get("requestClass").asText()).isEqualTo("put");
            assertThat(requests.get("outcome").asText()).isEqualTo("ok");
        });
    }

    @Test
    void topicLifeCycle() throws Exception {
        String name = newTopic(3);
        Answer described = send("describeTopic", gateway.request("/v1/topics/" + name));
        assertThat(described.json.get("partitions").asInt()).isEqualTo(3);
        assertThat(described.json.get("owner").asText()).isEqualTo("tester");
        assertThat(described.json.get("resourceName").asText()).matches("tester#" + name + "#[0-9a-f]{32}");

        send("createTopic", json("/v1/topics", "POST", "{\"name\":\"" + name + "\"}"))
                .isProblem(409, "topic-exists", "never");

        Answer changed = send(
                "changeTopic",
                json(
                        "/v1/topics/" + name,
                        "PATCH",
                        "{\"partitions\":5,\"retentionMs\":7200000,\"attributes\":{\"a\":\"1\",\"talos.durability\":\"memory\"}}"));
        assertThat(changed.json.get("partitions").asInt()).isEqualTo(5);
        assertThat(changed.json.get("retentionMs").asLong()).isEqualTo(7_200_000);
        // The first sync of a journal file is to disk, whatever was asked for.
        put(name, 4, "[{\"value\":\"x\"}]");
        assertThat(put(name, 4, "[{\"value\":\"x\"}]").json.get("durability").asText())
                .isEqualTo("memory");

        send("changeTopic", json("/v1/topics/" + name, "PATCH", "{\"partitions\":2}"))
                .isProblem(400, "invalid-topic-parameters", "never");
        Answer removed = send("changeTopic", json("/v1/topics/" + name, "PATCH", "{\"attributes\":{\"a\":null}}"));
        assertThat(removed.json.get("attributes").has("a")).isFalse();

        Answer partitions = send("listPartitions", gateway.request("/v1/topics/" + name + "/partitions"));
        assertThat(partitions.json.get("partitions")).hasSize(5);
        assertThat(partitions.json.at("/partitions/4/logEndOffset").asLong()).isEqualTo(2);
        assertThat(partitions.json.at("/partitions/4/owner").asText()).isEqualTo("127.0.0.1:" + gateway.port());
        assertThat(send("describePartition", gateway.request("/v1/topics/" + name + "/partitions/0"))
                        .json
                        .get("messageCount")
                        .asInt())
                .isZero();
        assertThat(send("listTopics", gateway.request("/v1/topics")).json.toString())
                .contains(name);

        assertThat(send("deleteTopic", gateway.request("/v1/topics/" + name).DELETE())
                        .status())
                .isEqualTo(200);
        send("describeTopic", gateway.request("/v1/topics/" + name)).isProblem(404, "topic-not-found", "never");
        get(name, 0, "offset=0").isProblem(404, "topic-not-found", "never");
    }

    private static HttpRequest.Builder withKey(String path, String id, String secret) {
        return gateway.request(path)
                .header("Content-Type", "application/json")
                .setHeader("Authorization", TestGateway.basic(new AccessKey(id, secret, "any", null, false, 0)));
    }

    private static Answer listTopics(String id, String secret) throws Exception {
        return send("listTopics", withKey("/v1/topics", id, secret));
    }

    @Test
    void keyLifeCycle() throws Exception {
        Answer created = send(
                "createKey",
                json(
                        "/v1/keys",
                        "POST",
                        "{\"owner\":\"app\",\"role\":\"reader\",\"topics\":[\"orders-*\"],\"description\":\"Of a test\"}"));
        assertThat(created.status()).as(created.response.body()).isEqualTo(201);
        assertThat(created.header("Cache-Control")).isEqualTo("no-store");
        String id = created.json.get("id").asText();
        String first = created.json.get("secret").asText();
        String path = "/v1/keys/" + id;
        assertThat(created.json.get("permissions").toString()).isEqualTo("[\"get\",\"describe\"]");
        assertThat(listTopics(id, first).status()).isEqualTo(200);

        Answer described = send("describeKey", gateway.request(path));
        assertThat(described.json.has("secret")).isFalse();
        assertThat(described.json.get("source").asText()).isEqualTo("cluster");
        assertThat(described.json.get("description").asText()).isEqualTo("Of a test");
        assertThat(described.json.get("lastUsedAtMs").asLong() % 60_000).isZero();
        Answer listed = send("listKeys", gateway.request("/v1/keys"));
        assertThat(listed.response.body())
                .contains(id, gateway.key().id(), "\"source\":\"file\"")
                .doesNotContain(first)
                .doesNotContain(gateway.key().secret());

        Answer rotated = send("rotateKey", json(path + "/rotate", "POST", ""));
        String second = rotated.json.get("secret").asText();
        assertThat(rotated.json.get("previousSecretUntilMs").asLong()).isPositive();
        assertThat(listTopics(id, first).status()).isEqualTo(200);
        assertThat(listTopics(id, second).status()).isEqualTo(200);
        String third = send("rotateKey", json(path + "/rotate", "POST", "{\"keepOldForMs\":0}"))
                .json
                .get("secret")
                .asText();
        listTopics(id, first).isProblem(401, "unauthenticated", "never");
        listTopics(id, second).isProblem(401, "unauthenticated", "never");
        assertThat(listTopics(id, third).status()).isEqualTo(200);

        Answer wrong = send("changeKey", json(path, "PATCH", "{\"disabled\":\"yes\"}"));
        wrong.isProblem(400, "malformed-request", "never");
        assertThat(wrong.json.get("detail").asText())
                .isEqualTo("The change is not valid: the field 'disabled' must be true or false.");
        send("changeKey", json(path, "PATCH", "{\"disabled\":true}"));
        assertThat(listTopics(id, third).json.get("detail").asText()).isEqualTo("The key " + id + " is disabled.");
        Answer limited = send(
                "changeKey",
                json(
                        path,
                        "PATCH",
                        "{\"disabled\":null,\"permissions\":[\"put\"],\"topics\":null,\"description\":null,\"expiresAtMs\":1000}"));
        assertThat(limited.json.get("permissions").toString()).isEqualTo("[\"put\"]");
        assertThat(limited.json.get("topics").toString()).isEqualTo("[\"*\"]");
        assertThat(limited.json.has("description")).isFalse();
        assertThat(listTopics(id, third).json.get("detail").asText()).contains("expired at 1970-01-01T00:00:01Z");
        send("changeKey", json(path, "PATCH", "{\"expiresAtMs\":null}"));
        assertThat(listTopics(id, third).status()).isEqualTo(200);

        assertThat(send("deleteKey", gateway.request(path).DELETE()).status()).isEqualTo(200);
        listTopics(id, third).isProblem(401, "unauthenticated", "never");
        send("describeKey", gateway.request(path)).isProblem(404, "key-not-found", "never");
        send("changeKey", json(path, "PATCH", "{\"disabled\":true}")).isProblem(404, "key-not-found", "never");
        send("deleteKey", gateway.request(path).DELETE()).isProblem(404, "key-not-found", "never");
    }

    @Test
    void keyOutlivesARestartWhereNobodyElseCanReadIt() throws Exception {
        Path data = directory.resolve("restarted");
        try (TestGateway restarted = TestGateway.start(data, Map.of())) {
            JsonNode made = JSON.readTree(restarted
                    .send(restarted
                            .request("/v1/keys")
                            .header("Content-Type", "application/json")
                            .POST(BodyPublishers.ofString("{}"))
                            .build())
                    .body());
            restarted.restart();

            AccessKey key =
                    new AccessKey(made.get("id").asText(), made.get("secret").asText(), "any", null, false, 0);
            HttpRequest asKey = restarted
                    .request("/v1/topics")
                    .setHeader("Authorization", TestGateway.basic(key))
                    .build();
            assertThat(restarted.send(asKey).statusCode()).isEqualTo(200);
            assertThat(permissions(data)).isEqualTo("rwx------");
            assertThat(permissions(data.resolve("key-encryption.secret"))).isEqualTo("rw-------");
        }
    }

    private static String permissions(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    @Test
    void keysOfTheFileCannotBeChanged() throws Exception {
        String path = "/v1/keys/" + gateway.key().id();
        send("changeKey", json(path, "PATCH", "{\"disabled\":true}")).isProblem(409, "key-read-only", "never");
        send("rotateKey", json(path + "/rotate", "POST", "{}")).isProblem(409, "key-read-only", "never");
        send("deleteKey", gateway.request(path).DELETE()).isProblem(409, "key-read-only", "never");
    }

    @Test
    void onlyAnAdminKeyWithoutLimitsMayHandleKeys() throws Exception {
        Answer limitedAdmin =
                send("createKey", json("/v1/keys", "POST", "{\"admin\":true,\"role\":\"reader,writer\"}"));
        Answer plain = send("createKey", json("/v1/keys", "POST", "{}"));
        for (Answer key : List.of(limitedAdmin, plain)) {
            String id = key.json.get("id").asText();
            String secret = key.json.get("secret").asText();
            String path = "/v1/keys/" + id;
            send("listKeys", withKey("/v1/keys", id, secret)).isProblem(403, "permission-denied", "never");
            send("createKey", withKey("/v1/keys", id, secret).POST(BodyPublishers.ofString("{\"admin\":true}")))
                    .isProblem(403, "permission-denied", "never");
            send("describeKey", withKey(path, id, secret)).isProblem(403, "permission-denied", "never");
            send("changeKey", withKey(path, id, secret).method("PATCH", BodyPublishers.ofString("{}")))
                    .isProblem(403, "permission-denied", "never");
            send("rotateKey", withKey(path + "/rotate", id, secret).POST(BodyPublishers.noBody()))
                    .isProblem(403, "permission-denied", "never");
            send("deleteKey", withKey(path, id, secret).DELETE()).isProblem(403, "permission-denied", "never");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"role\":\"admin\"}",
                "{\"role\":\"reader\",\"permissions\":[\"get\"]}",
                "{\"permissions\":[\"read\"]}",
                "{\"permissions\":[null]}",
                "{\"topics\":[]}",
                "{\"topics\":[\"a b\"]}",
                "{\"topics\":[null]}",
                "{\"owner\":\" \"}",
                "{\"description\":\"two\\nlines\"}"
            })
    void keyThatIsNotValidIsRefusedWithTheReason(String key) throws Exception {
        send("createKey", json("/v1/keys", "POST", key)).isProblem(400, "invalid-key-parameters", "never");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"disabld\":true}", "{\"disabled\":\"perhaps\"}", "[]", "", "{\"expiresAtMs\":\"soon\"}"})
    void changeOfAKeyThatIsNotUnderstoodIsRefused(String change) throws Exception {
        String id =
                send("createKey", json("/v1/keys", "POST", "{}")).json.get("id").asText();
        send("changeKey", json("/v1/keys/" + id, "PATCH", change)).isProblem(400, "malformed-request", "never");
        send("rotateKey", json("/v1/keys/" + id + "/rotate", "POST", "{\"keepOldForMs\":-1}"))
                .isProblem(400, "invalid-key-parameters", "never");
    }

    @Test
    void recreatedTopicHasNothingOfTheOldOne() throws Exception {
        String name = newTopic(1);
        String first = send("describeTopic", gateway.request("/v1/topics/" + name))
                .json
                .get("resourceName")
                .asText();
        put(name, 0, "[{\"value\":\"old\"}]");
        send("deleteTopic", gateway.request("/v1/topics/" + name).DELETE());
        send("createTopic", json("/v1/topics", "POST", "{\"name\":\"" + name + "\",\"partitions\":1}"));
        assertThat(get(name, 0, "offset=earliest").json.get("messages")).isEmpty();
        assertThat(send("describeTopic", gateway.request("/v1/topics/" + name))
                        .json
                        .get("resourceName")
                        .asText())
                .isNotEqualTo(first);
        assertThat(put(name, 0, "[{\"value\":\"new\"}]").json.get("firstOffset").asLong())
                .isZero();
    }

    @Test
    void whatIsMostlyEscapesIsShownAsBase64UnlessItWasPutAsText() throws Exception {
        String topic = newTopic(1);
        String line = "\\n";
        String nulls = "\\u0000".repeat(17);
        String quotes = "\\\"".repeat(1_000);
        assertThat(put(
                                topic,
                                0,
                                "[{\"value\":\"%s\"},{\"value\":\"%s\"},{\"value\":\"%s\"}]"
                                        .formatted(line, nulls, quotes))
                        .status())
                .isEqualTo(200);

        Answer got = get(topic, 0, "offset=0");

        assertThat(got.json.at("/messages/0/value").asText()).isEqualTo("\n");
        assertThat(got.json.at("/messages/1/value").asText()).isEqualTo("\0".repeat(17));
        assertThat(got.json.at("/messages/2/value").asText()).isEqualTo("\"".repeat(1_000));
    }

    @Test
    void messagesComeBackInOrderAndUnchanged() throws Exception {
        String topic = newTopic(2);
        Answer stored = put(
                topic,
                1,
                "[{\"key\":\"k\",\"value\":\"text \\u00e4\",\"sequenceNumber\":\"s1\",\"createdAtMs\":1600000000000},"
                        + "{\"value\":{\"a\":[1,2]}},{\"valueBase64\":\"/wD+\"}]");
        assertThat(stored.status()).isEqualTo(200);
        assertThat(stored.json.get("firstOffset").asLong()).isZero();
        assertThat(stored.json.get("count").asInt()).isEqualTo(3);
        assertThat(stored.json.get("durability").asText()).isEqualTo("disk");
        assertThat(stored.json.get("repeat").asBoolean()).isFalse();

        Answer got = get(topic, 1, "offset=0");
        assertThat(got.json.at("/messages/0/value").asText()).isEqualTo("text ä");
        assertThat(got.json.at("/messages/0/key").asText()).isEqualTo("k");
        assertThat(got.json.at("/messages/0/sequenceNumber").asText()).isEqualTo("s1");
        assertThat(got.json.at("/messages/0/createdAtMs").asLong()).isEqualTo(1_600_000_000_000L);
        assertThat(got.json.at("/messages/1/value")).isEqualTo(JSON.readTree("{\"a\":[1,2]}"));
        assertThat(got.json.at("/messages/2/valueBase64").asText()).isEqualTo("/wD+");
        assertThat(got.json.get("nextOffset").asLong()).isEqualTo(3);
        assertThat(got.header("Talos-Log-End-Offset")).isEqualTo("3");

        assertThat(get(topic, 1, "offset=1&max-messages=1")
                        .json
                        .at("/messages/0/offset")
                        .asLong())
                .isEqualTo(1);
        assertThat(get(topic, 1, "offset=1&max-messages=1")
                        .json
                        .get("nextOffset")
                        .asLong())
                .isEqualTo(2);
        assertThat(get(topic, 1, "offset=latest").json.get("messages")).isEmpty();
        assertThat(get(topic, 1, "offset=3").json.get("nextOffset").asLong()).isEqualTo(3);
        assertThat(get(topic, 1, "timestamp-ms=0").json.get("messages")).hasSize(3);
        assertThat(get(topic, 1, "timestamp-ms=99999999999999").json.get("messages"))
                .isEmpty();
        get(topic, 1, "offset=4").isProblem(416, "offset-out-of-range", "never");
        get(topic, 1, "offset=-1").isProblem(400, "invalid-offset", "never");
        get(topic, 1, "offset=99999999999999999999").isProblem(400, "invalid-offset", "never");
        get(topic, 1, "").isProblem(400, "malformed-request", "never");
        get(topic, 1, "offset=0&ofset=1").isProblem(400, "malformed-request", "never");
        get(topic, 2, "offset=0").isProblem(404, "partition-not-found", "never");
    }

    @Test
    void linesAndRawMessages() throws Exception {
        String topic = newTopic(1);
        Answer lines = send(
                "putToPartition",
                gateway.request(partitionPath(topic, 0))
                        .header("Content-Type", "application/x-ndjson")
                        .POST(BodyPublishers.ofString("{\"value\":\"one\"}\n\n{\"value\":\"two\"}\r\n")));
        assertThat(lines.json.get("count").asInt()).isEqualTo(2);
        Answer raw = send(
                "putToPartition",
                gateway.request(partitionPath(topic, 0) + "?key=a%20key")
                        .header("Content-Type", "application/octet-stream")
                        .POST(BodyPublishers.ofByteArray(new byte[] {1, 2, 3})));
        assertThat(raw.json.get("firstOffset").asLong()).isEqualTo(2);

        Answer asLines = send(
                "getMessages",
                gateway.request(partitionPath(topic, 0) + "?offset=0").header("Accept", "application/x-ndjson"));
        assertThat(asLines.response.body().lines()).hasSize(3);
        HttpResponse<byte[]> asBytes = gateway.client()
                .send(
                        gateway.request(partitionPath(topic, 0) + "?offset=2")
                                .header("Accept", "application/octet-stream")
                                .build(),
                        HttpResponse.BodyHandlers.ofByteArray());
        assertThat(asBytes.body()).isEqualTo(new byte[] {1, 2, 3});
        assertThat(asBytes.headers().firstValue("Talos-Key")).hasValue("a+key");
        assertThat(asBytes.headers().firstValue("Talos-Offset")).hasValue("2");
        Answer none = send(
                "getMessages",
                gateway.request(partitionPath(topic, 0) + "?offset=latest")
                        .header("Accept", "application/octet-stream"));
        assertThat(none.status()).isEqualTo(204);
    }

    @Test
    void gzipIsRead() throws Exception {
        String topic = newTopic(1);
        ByteArrayOutputStream compressed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(compressed)) {
            out.write("{\"messages\":[{\"value\":\"zipped\"}]}".getBytes(UTF_8));
        }
        HttpRequest.Builder request = gateway.request(partitionPath(topic, 0))
                .header("Content-Type", "application/json")
                .header("Content-Encoding", "gzip");
        assertThat(send("putToPartition", request.POST(BodyPublishers.ofByteArray(compressed.toByteArray())))
                        .status())
                .isEqualTo(200);
        assertThat(get(topic, 0, "offset=0").json.at("/messages/0/value").asText())
                .isEqualTo("zipped");

        send("putToPartition", request.POST(BodyPublishers.ofString("not gzip")))
                .isProblem(400, "malformed-request", "never");
        ByteArrayOutputStream bomb = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(bomb)) {
            out.write(new byte[1 << 20]);
        }
        send("putToPartition", request.POST(BodyPublishers.ofByteArray(bomb.toByteArray())))
                .isProblem(413, "request-too-large", "never");
    }

    @Test
    void putToTopicGoesWhereTheKeySays() throws Exception {
        String topic = newTopic(4);
        Answer stored = send(
                "putToTopic",
                json(
                        "/v1/topics/" + topic + "/messages",
                        "POST",
                        "{\"messages\":[{\"key\":\"order-1042\",\"value\":\"a\"},{\"key\":\"customer-77\",\"value\":\"b\"},"
                                + "{\"key\":\"order-1042\",\"value\":\"c\"}]}"));
        assertThat(stored.status()).isEqualTo(200);
        JsonNode results = stored.json.get("results");
        int total = 0;
        for (JsonNode result : results) {
            total += result.at("/stored/count").asInt();
            JsonNode places = result.get("messages");
            int partition = result.get("partition").asInt();
            for (int i = 0; i < places.size(); i++) {
                String key = places.get(i).asInt() == 1 ? "customer-77" : "order-1042";
                assertThat(partition).isEqualTo(io.talosgateway.rest.message.Partitioner.partitionFor(key, 4));
            }
        }
        assertThat(total).isEqualTo(3);
    }

    @Test
    void messagesWithoutKeyTakeTurns() throws Exception {
        String topic = newTopic(3);
        Set<Integer> partitions = new HashSet<>();
        for (int i = 0; i < 3; i++) {
            Answer stored = send(
                    "putToTopic",
                    json(
                            "/v1/topics/" + topic + "/messages",
                            "POST",
                            "{\"messages\":[{\"value\":\"a\"},{\"value\":\"b\"}]}"));
            assertThat(stored.json.get("results")).hasSize(1);
            partitions.add(stored.json.at("/results/0/partition").asInt());
        }
        assertThat(partitions).hasSize(3);
    }

    @Test
    void repeatedPutIsStoredOnce() throws Exception {
        String topic = newTopic(8);
        String body = "{\"messages\":[{\"value\":\"once\",\"createdAtMs\":1}]}";
        for (String path : new String[] {partitionPath(topic, 3), "/v1/topics/" + topic + "/messages"}) {
            String operation = path.contains("partitions") ? "putToPartition" : "putToTopic";
            HttpRequest.Builder request = json(path, "POST", body).header("Idempotency-Key", "\"key-" + path + "\"");
            JsonNode first = send(operation, request).json;
            JsonNode second = send(operation, request).json;
            JsonNode firstStored = first.has("results") ? first.at("/results/0/stored") : first;
            JsonNode secondStored = second.has("results") ? second.at("/results/0/stored") : second;
            assertThat(firstStored.get("repeat").asBoolean()).isFalse();
            assertThat(secondStored.get("repeat").asBoolean()).isTrue();
            assertThat(secondStored.get("firstOffset")).isEqualTo(firstStored.get("firstOffset"));
            assertThat(secondStored.get("partition")).isEqualTo(firstStored.get("partition"));
        }
        send(
                        "putToPartition",
                        json(
                                        partitionPath(topic, 3),
                                        "POST",
                                        "{\"messages\":[{\"value\":\"other\",\"createdAtMs\":1}]}")
                                .header("Idempotency-Key", "key-" + partitionPath(topic, 3)))
                .isProblem(422, "idempotency-key-reused", "never");
        send("putToPartition", json(partitionPath(topic, 3), "POST", body).header("Idempotency-Key", "\"\""))
                .isProblem(400, "malformed-request", "never");
    }

    @Test
    void idempotencyKeysOfTwoPrincipalsAreDifferentKeys() throws Exception {
        String topic = newTopic(1);
        AccessKey other = gateway.addKey("puts-too", false);
        gateway.grant(topic, "puts-too", "put");
        String body = "{\"messages\":[{\"value\":\"%s\",\"createdAtMs\":1}]}";
        List<Boolean> repeats = new ArrayList<>();
        for (AccessKey key : List.of(gateway.key(), other, other)) {
            Answer stored = send(
                    "putToPartition",
                    as(key, json(partitionPath(topic, 0), "POST", body.formatted("same")))
                            .header("Idempotency-Key", "order-1"));
            repeats.add(stored.json.get("repeat").asBoolean());
        }
        assertThat(repeats).containsExactly(false, false, true);
        assertThat(send(
                                "putToPartition",
                                as(other, json(partitionPath(topic, 0), "POST", body.formatted("mine")))
                                        .header("Idempotency-Key", "order-2"))
                        .status())
                .isEqualTo(200);
        assertThat(send(
                                "putToPartition",
                                json(partitionPath(topic, 0), "POST", body.formatted("not mine"))
                                        .header("Idempotency-Key", "order-2"))
                        .status())
                .isEqualTo(200);
    }

    @Test
    void repeatIsRecognisedAfterARestart(@TempDir Path own) throws Exception {
        try (TestGateway other = TestGateway.start(own)) {
            other.send(other.request("/v1/topics")
                    .POST(BodyPublishers.ofString("{\"name\":\"t\",\"partitions\":1}"))
                    .build());
            String path = partitionPath("t", 0);
            HttpRequest put = other.request(path)
                    .header("Content-Type", "application/octet-stream")
                    .header("Idempotency-Key", "k")
                    .POST(BodyPublishers.ofString("once"))
                    .build();
            // The create time of a raw message is when it arrives: the digest must not depend on it.
            assertThat(JSON.readTree(other.send(put).body()).get("repeat").asBoolean())
                    .isFalse();
            assertThat(JSON.readTree(other.send(put).body()).get("repeat").asBoolean())
                    .isTrue();
            other.restart();
            HttpRequest again = other.request(path)
                    .header("Content-Type", "application/octet-stream")
                    .header("Idempotency-Key", "k")
                    .POST(BodyPublishers.ofString("once"))
                    .build();
            assertThat(JSON.readTree(other.send(again).body()).get("repeat").asBoolean())
                    .isTrue();
            assertThat(JSON.readTree(other.send(other.request(path + "?offset=earliest")
                                            .build())
                                    .body())
                            .get("messages"))
                    .hasSize(1);
        }
    }

    @Test
    void waitingGetIsAnsweredAsSoonAsThereIsAMessage() throws Exception {
        String topic = newTopic(1);
        CompletableFuture<HttpResponse<String>> waiting = gateway.client()
                .sendAsync(
                        gateway.request(partitionPath(topic, 0) + "?offset=latest&wait=20s")
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
        Await.asLongAs(() -> gateway.metric("talos_gets_waiting") < 1);
        assertThat(waiting).isNotDone();
        // Bytes that are held now are those of the request that made the topic, or of the waiting get.
        Await.asLongAs(() -> gateway.metric("talos_bytes_in_flight") > 0);
        put(topic, 0, "[{\"value\":\"at last\"}]");
        assertThat(JSON.readTree(waiting.get().body()).at("/messages/0/value").asText())
                .isEqualTo("at last");
        Await.asLongAs(() -> gateway.metric("talos_gets_waiting") > 0);
        assertThat(get(topic, 0, "offset=latest&wait=50ms").json.get("messages"))
                .isEmpty();
        get(topic, 0, "offset=latest&wait=soon").isProblem(400, "malformed-request", "never");
    }

    @Test
    void refusalBeforeTheBodyIsReadReachesTheClientEveryTime() throws Exception {
        String topic = newTopic(1);
        String tooLarge = "[{\"value\":\"" + "x".repeat(500_000) + "\"}]";
        for (int put = 0; put < 50; put++) {
            put(topic, 0, tooLarge).isProblem(413, "request-too-large", "never");
        }
    }

    @Test
    void wrongRequestsAreRefusedWithAReason() throws Exception {
        String topic = newTopic(1);
        put(topic, 0, "[]").isProblem(400, "invalid-message", "never");
        put(topic, 0, "[{\"value\":\"\"}]").isProblem(400, "invalid-message", "never");
        put(topic, 0, "[{}]").isProblem(400, "invalid-message", "never");
        put(topic, 0, "[{\"value\":\"a\",\"valueBase64\":\"YQ==\"}]").isProblem(400, "invalid-message", "never");
        put(topic, 0, "[{\"valueBase64\":\"*\"}]").isProblem(400, "invalid-message", "never");
        put(topic, 0, "[{\"vaule\":\"a\"}]").isProblem(400, "malformed-request", "never");
        put(topic, 0, "[{\"value\":\"a\"}").isProblem(400, "malformed-request", "never");
        put(topic, 0, "[{\"value\":\"" + "x".repeat(30_000) + "\"}]").isProblem(413, "request-too-large", "never");
        put(topic, 0, "[{\"value\":\"" + "x".repeat(100_000) + "\"}]").isProblem(413, "request-too-large", "never");
        put(topic, 7, "[{\"value\":\"a\"}]").isProblem(404, "partition-not-found", "never");
        put("no-such-topic", 0, "[{\"value\":\"a\"}]").isProblem(404, "topic-not-found", "never");
        put("_bad", 0, "[{\"value\":\"a\"}]").isProblem(400, "invalid-name", "never");
        send("createTopic", json("/v1/topics", "POST", "{\"name\":\"bad name\"}"))
                .isProblem(400, "invalid-name", "never");
        send("createTopic", json("/v1/topics", "POST", "{\"name\":\"t\",\"partitions\":0}"))
                .isProblem(400, "invalid-topic-parameters", "never");
        send("createTopic", json("/v1/topics", "POST", "{\"name\":\"t\",\"retentionMs\":1}"))
                .isProblem(400, "invalid-topic-parameters", "never");
        send("createTopic", json("/v1/topics", "POST", "{")).isProblem(400, "malformed-request", "never");
        send(
                        "putToPartition",
                        gateway.request(partitionPath(topic, 0))
                                .header("Content-Type", "text/plain")
                                .POST(BodyPublishers.ofString("a")))
                .isProblem(415, "unsupported-media-type", "never");
        send(
                        "getMessages",
                        gateway.request(partitionPath(topic, 0) + "?offset=0").header("Accept", "image/png"))
                .isProblem(406, "not-acceptable", "never");
        send("describeTopic", gateway.request("/v1/nothing")).isProblem(404, "not-found", "never");
        Answer method =
                send("describeTopic", gateway.request("/v1/topics/" + topic).PUT(BodyPublishers.noBody()));
        method.isProblem(405, "method-not-allowed", "never");
        assertThat(get(topic, 0, "offset=earliest").json.get("messages")).isEmpty();
    }

    @Test
    void chunkedBodyOverTheLimitIsRefused() throws Exception {
        String topic = newTopic(1);
        HttpRequest.Builder request = gateway.request(partitionPath(topic, 0))
                .header("Content-Type", "application/octet-stream")
                .POST(BodyPublishers.ofInputStream(() -> new java.io.ByteArrayInputStream(new byte[80_000])));
        send("putToPartition", request).isProblem(413, "request-too-large", "never");
        HttpRequest.Builder small = gateway.request(partitionPath(topic, 0))
                .header("Content-Type", "application/octet-stream")
                .POST(BodyPublishers.ofInputStream(() -> new java.io.ByteArrayInputStream(new byte[19_000])));
        assertThat(send("putToPartition", small).status()).isEqualTo(200);
    }

    @Test
    void strangersAreRefused() throws Exception {
        String path = "/v1/topics";
        HttpRequest.Builder nobody = HttpRequest.newBuilder(java.net.URI.create(gateway.endpoint() + path));
        Answer refused = send("listTopics", nobody);
        refused.isProblem(401, "unauthenticated", "never");
        assertThat(refused.header("WWW-Authenticate")).contains("Basic");
        String wrong = Base64.getEncoder().encodeToString((gateway.key().id() + ":wrong").getBytes(UTF_8));
        send(
                        "listTopics",
                        HttpRequest.newBuilder(java.net.URI.create(gateway.endpoint() + path))
                                .header("Authorization", "Basic " + wrong))
                .isProblem(401, "unauthenticated", "never");
        send(
                        "listTopics",
                        HttpRequest.newBuilder(java.net.URI.create(gateway.endpoint() + path))
                                .header("Authorization", "Bearer token"))
                .isProblem(401, "unauthenticated", "never");
    }

    @Test
    void topicsAreListedForTheirOwner() throws Exception {
        String ofTester = newTopic(1);
        AccessKey other = gateway.addKey("somebody-else", false);
        HttpRequest.Builder request = HttpRequest.newBuilder(java.net.URI.create(gateway.endpoint() + "/v1/topics"))
                .header("Authorization", TestGateway.basic(other));
        Answer listed = send("listTopics", request);
        assertThat(listed.json.get("topics").toString()).doesNotContain(ofTester);
    }

    @Test
    void onlyAnAdminSetsThePriorityOfATopic() throws Exception {
        AccessKey other = gateway.addKey("somebody-without-rights", false);
        String body = "{\"name\":\"priority-%s\",\"attributes\":{\"talos.priority\":\"%s\"}}";

        send("createTopic", json("/v1/topics", "POST", body.formatted("wrong", "urgent")))
                .isProblem(400, "invalid-topic-parameters", "never");
        Answer created = send("createTopic", json("/v1/topics", "POST", body.formatted("high", "high")));
        assertThat(created.json.at("/attributes/talos.priority").asText()).isEqualTo("high");
        assertThat(put("priority-high", 0, "[{\"value\":\"x\"}]")
                        .json
                        .get("firstOffset")
                        .asLong())
                .isZero();
        send("createTopic", as(other, json("/v1/topics", "POST", body.formatted("other", "high"))))
                .isProblem(403, "permission-denied", "never");
        send("createTopic", as(other, json("/v1/topics", "POST", body.formatted("own", "normal"))))
                .isProblem(403, "permission-denied", "never");
        send("createTopic", as(other, json("/v1/topics", "POST", "{\"name\":\"priority-own\"}")));
        send(
                        "changeTopic",
                        as(
                                other,
                                json(
                                        "/v1/topics/priority-own",
                                        "PATCH",
                                        "{\"attributes\":{\"talos.priority\":\"low\"}}")))
                .isProblem(403, "permission-denied", "never");
    }

    @Test
    void permissionsAreGrantedReplacedAndRevoked() throws Exception {
        String topic = newTopic(1);
        String path = "/v1/topics/" + topic + "/permissions";
        AccessKey grantee = gateway.addKey("grantee", false);

        Answer granted =
                send("setPermissions", json(path + "/grantee", "PUT", "{\"permissions\":[\"describe\",\"put\"]}"));
        assertThat(granted.json.get("permissions").toString()).isEqualTo("[\"put\",\"describe\"]");
        Answer replaced = send("setPermissions", json(path + "/grantee", "PUT", "{\"permissions\":[\"get\"]}"));
        assertThat(replaced.json.get("permissions").toString()).isEqualTo("[\"get\"]");
        Answer listed = send("listPermissions", gateway.request(path));
        assertThat(listed.json.get("owner").asText()).isEqualTo("tester");
        assertThat(listed.json.get("grants")).isEqualTo(JSON.createArrayNode().add(replaced.json));

        Answer denied = send(
                "putToPartition",
                as(grantee, json(partitionPath(topic, 0), "POST", "{\"messages\":[{\"value\":\"x\"}]}")));
        denied.isProblem(403, "permission-denied", "never");
        assertThat(denied.json.get("detail").asText()).contains("'put'", topic, "'grantee'", "'tester'");
        assertThat(send("getMessages", as(grantee, gateway.request(partitionPath(topic, 0) + "?offset=earliest")))
                        .status())
                .isEqualTo(200);

        for (int time = 0; time < 2; time++) {
            Answer revoked =
                    send("revokePermissions", gateway.request(path + "/grantee").DELETE());
            assertThat(revoked.status()).isEqualTo(200);
            assertThat(revoked.json.get("permissions")).isEmpty();
        }
        send("getMessages", as(grantee, gateway.request(partitionPath(topic, 0) + "?offset=earliest")))
                .isProblem(404, "topic-not-found", "never");
    }

    @Test
    void grantsThatBreakTheRulesAreRefused() throws Exception {
        String path = "/v1/topics/" + newTopic(1) + "/permissions/";
        for (String permissions : List.of("[\"change-topic\"]", "[\"change-permission\"]", "[\"PUT\"]", "[null]")) {
            send("setPermissions", json(path + "bob", "PUT", "{\"permissions\":" + permissions + "}"))
                    .isProblem(400, "invalid-topic-parameters", "never");
        }
        for (String body : List.of("{}", "{\"permissions\":[]}", "[]", "{\"permission\":[\"put\"]}")) {
            send("setPermissions", json(path + "bob", "PUT", body)).isProblem(400, "malformed-request", "never");
        }
        send("setPermissions", json(path + "p".repeat(129), "PUT", "{\"permissions\":[\"put\"]}"))
                .isProblem(400, "invalid-topic-parameters", "never");
        send("setPermissions", json(path + "tester", "PUT", "{\"permissions\":[\"put\"]}"))
                .isProblem(400, "invalid-topic-parameters", "never");
        send("revokePermissions", gateway.request(path + "tester").DELETE())
                .isProblem(400, "invalid-topic-parameters", "never");
    }

    @Test
    void topicsBelongToTheOrganizationOfTheirCreator() throws Exception {
        AccessKey one = gateway.addKey("one-of-team", "CLrest", false);
        AccessKey other = gateway.addKey("other-of-team", "CLrest", false);
        Answer created = send("createTopic", as(one, json("/v1/topics", "POST", "{\"name\":\"of-the-team\"}")));
        assertThat(created.json.get("owner").asText()).isEqualTo("CLrest");
        Answer listed = send("listTopics", as(other, gateway.request("/v1/topics")));
        assertThat(listed.json.get("topics")).hasSize(1);
        assertThat(send(
                                "deleteTopic",
                                as(
                                        other,
                                        gateway.request("/v1/topics/of-the-team")
                                                .DELETE()))
                        .status())
                .isEqualTo(200);
    }

    private static HttpRequest.Builder as(AccessKey key, HttpRequest.Builder request) {
        return request.setHeader("Authorization", TestGateway.basic(key));
    }

    @Test
    void budgetThatIsOverIsAnsweredAtOnce() throws Exception {
        String topic = newTopic(1);
        send(
                        "putToPartition",
                        json(partitionPath(topic, 0), "POST", "{\"messages\":[{\"value\":\"late\"}]}")
                                .header("Talos-Timeout-Ms", "0"))
                .isProblem(504, "deadline-exceeded", "after-backoff");
        assertThat(get(topic, 0, "offset=earliest").json.get("messages")).isEmpty();
        send(
                        "putToPartition",
                        json(partitionPath(topic, 0), "POST", "{\"messages\":[{\"value\":\"x\"}]}")
                                .header("Talos-Timeout-Ms", "soon"))
                .isProblem(400, "malformed-request", "never");
    }

    @Test
    void healthAndMetricsAreOnAPortOfTheirOwn() throws Exception {
        assertThat(gateway.ops("/health/live").statusCode()).isEqualTo(200);
        assertThat(gateway.ops("/health/ready").statusCode()).isEqualTo(200);
        String metrics = gateway.ops("/metrics").body();
        assertThat(metrics)
                .contains(
                        "talos_requests_total",
                        "talos_request_seconds_bucket",
                        "talos_pool_wait_seconds_bucket{pool=\"put\"",
                        "talos_journal_sync_seconds_sum",
                        "talos_journal_group_puts_sum",
                        "talos_put_storage_seconds_sum",
                        "talos_journal_cache_bytes{cache=\"tail\"",
                        "talos_bytes_in_flight",
                        "jvm_gc_collection_seconds_sum",
                        "jvm_memory_pool_bytes_used");
        assertThat(gateway.ops("/nothing").statusCode()).isEqualTo(404);
    }

    @Test
    void allPermitsAreGivenBack() throws Exception {
        String topic = newTopic(1);
        put(topic, 0, "[{\"value\":\"a\"}]");
        put(topic, 0, "[{");
        get(topic, 0, "offset=0");
        // A client has its answer just before the gateway gives back what the request held.
        Await.asLongAs(() -> gateway.metric("talos_bytes_in_flight") + gateway.metric("talos_requests_in_flight") > 0);
    }
}
