package io.talosgateway.rest.http.rest;

import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.talosgateway.rest.auth.AccessKey;
import io.talosgateway.rest.bootstrap.TestGateway;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** Members and offsets of consumer groups on the JSON interface. */
final class ConsumerGroupsOnRestIT {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final AtomicInteger topics = new AtomicInteger();

    @TempDir
    static Path directory;

    private static TestGateway gateway;

    private String path;

    @BeforeAll
    static void start() throws Exception {
        gateway = TestGateway.start(directory, Map.of("consumer-group.lease", "60s"));
    }

    @AfterAll
    static void stop() {
        gateway.close();
    }

    @BeforeEach
    void createTopic() throws Exception {
        String topic = "topic-" + topics.incrementAndGet();
        path = "/v1/topics/" + topic;
        ok(201, post("/v1/topics", "{\"name\":\"" + topic + "\",\"partitions\":4}"));
    }

    private static HttpRequest post(String path, String body) {
        return gateway.request(path)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body))
                .build();
    }

    private static JsonNode ok(int status, HttpRequest request) throws Exception {
        HttpResponse<String> response = gateway.send(request);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
        return response.body().isEmpty() ? JSON.nullNode() : JSON.readTree(response.body());
    }

    private static void assertFails(int status, String code, HttpRequest request) throws Exception {
        HttpResponse<String> response = gateway.send(request);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
        assertThat(JSON.readTree(response.body()).get("code").asText())
                .as(response.body())
                .isEqualTo(code);
    }

    private void put(int partition, String value) throws Exception {
        ok(
                200,
                post(
                        path + "/partitions/" + partition + "/messages",
                        "{\"messages\":[{\"value\":\"" + value + "\"}]}"));
    }

    private String join() throws Exception {
        JsonNode joined = ok(201, post(path + "/groups/g/members", ""));
        assertThat(joined.get("leaseMs").asLong()).isEqualTo(60_000);
        return joined.get("member").asText();
    }

    private HttpRequest member(String member, String what, String body) {
        return post(path + "/groups/g/members/" + member + "/" + what, body);
    }

    private JsonNode poll(String member, String query) throws Exception {
        return ok(200, member(member, "poll" + query, ""));
    }

    private static String commitOf(JsonNode polled) {
        return "{\"partition\":" + polled.get("partition") + ",\"nextOffset\":" + polled.get("nextOffset") + "}";
    }

    private JsonNode group() throws Exception {
        return ok(200, gateway.request(path + "/groups/g").build());
    }

    private static List<String> values(JsonNode polled) {
        List<String> values = new ArrayList<>();
        polled.get("messages")
                .forEach(message -> values.add(message.get("value").asText()));
        return values;
    }

    @Test
    void memberGetsWhatIsNotCommitted() throws Exception {
        put(1, "a");
        put(1, "b");
        String member = join();

        JsonNode first = poll(member, "?max-messages=1");
        assertThat(values(first)).containsExactly("a");
        assertThat(first.get("partition").asInt()).isEqualTo(1);
        assertThat(values(poll(member, ""))).as("nothing is committed").containsExactly("a", "b");
        ok(204, member(member, "commit", commitOf(first)));
        JsonNode second = poll(member, "");
        assertThat(values(second)).containsExactly("b");
        ok(204, member(member, "commit", commitOf(second)));
        assertThat(values(poll(member, ""))).isEmpty();

        JsonNode partition = group().get("partitions").get(1);
        assertThat(partition.get("member").asText()).isEqualTo(member);
        assertThat(partition.get("nextOffset").asLong()).isEqualTo(2);
        assertThat(partition.get("lag").asLong()).isZero();
    }

    @Test
    void pollWaitsForMessagesOfAllItsPartitions() throws Exception {
        String member = join();
        CompletableFuture<HttpResponse<String>> waiting = gateway.sendAsync(member(member, "poll?wait=20s", ""));
        while (group().get("partitions").get(3).get("member") == null) {
            Thread.onSpinWait();
        }
        put(3, "late");

        assertThat(values(JSON.readTree(waiting.get().body()))).containsExactly("late");
    }

    @Test
    void partitionsAreSharedAndTakenOverFromMembersThatLeave() throws Exception {
        String a = join();
        poll(a, "");
        String b = join();
        poll(b, "");
        poll(a, "");
        poll(b, "");
        assertThat(holders()).containsExactly(a, a, b, b);

        ok(204, gateway.request(path + "/groups/g/members/" + a).DELETE().build());
        poll(b, "");
        assertThat(holders()).as("after one left").containsExactly(b, b, b, b);
    }

    @Test
    void partitionsAreTakenOverFromMembersThatFallSilent(@TempDir Path own) throws Exception {
        TestGateway usual = gateway;
        gateway = TestGateway.start(own, Map.of("consumer-group.lease", "3s"));
        try (TestGateway withShortLease = gateway) {
            createTopic();
            ok(200, member("silent", "poll", ""));
            // Until the lease of the silent one has ended.
            while (!holders().equals(List.of("c", "c", "c", "c"))) {
                assertThat(values(poll("c", "?wait=1s"))).isEmpty();
            }
        } finally {
            gateway = usual;
        }
    }

    private List<String> holders() throws Exception {
        List<String> holders = new ArrayList<>();
        group().get("partitions")
                .forEach(partition -> holders.add(partition.path("member").asText()));
        return holders;
    }

    @Test
    void memberThatLostAPartitionCannotCommit() throws Exception {
        put(3, "x");
        String a = join();
        JsonNode polled = poll(a, "");
        String b = join();
        poll(a, "");
        poll(b, "");

        assertFails(409, "partition-not-assigned", member(a, "commit", commitOf(polled)));
        assertThat(values(poll(b, ""))).containsExactly("x");
        ok(204, member(b, "commit", commitOf(polled)));
    }

    @Test
    void heartbeatTakesNothingAndGivesNothing() throws Exception {
        String a = join();
        poll(a, "");
        ok(200, member("of-my-own", "heartbeat", ""));
        ok(200, member(a, "heartbeat", ""));

        assertThat(holders()).containsOnly(a);
        assertThat(group().get("members")).hasSize(2);
    }

    @Test
    void groupsAreListedResetAndDeleted() throws Exception {
        for (String value : List.of("a", "b", "c")) {
            put(0, value);
        }
        String member = join();
        JsonNode polled = poll(member, "");
        ok(204, member(member, "commit", commitOf(polled)));
        assertFails(409, "consumer-group-working", post(path + "/groups/g/reset", "{\"to\":\"earliest\"}"));
        assertFails(
                409,
                "consumer-group-working",
                gateway.request(path + "/groups/g").DELETE().build());
        ok(204, gateway.request(path + "/groups/g/members/" + member).DELETE().build());

        ok(204, post(path + "/groups/g/reset", "{\"to\":\"earliest\"}"));
        assertThat(values(poll(member, ""))).containsExactly("a", "b", "c");
        ok(204, gateway.request(path + "/groups/g/members/" + member).DELETE().build());
        ok(204, post(path + "/groups/g/reset", "{\"offset\":2,\"partitions\":[0]}"));
        assertThat(group().get("partitions").get(0).get("lag").asLong()).isEqualTo(1);
        // No other partition has so many messages.
        assertFails(400, "invalid-offset", post(path + "/groups/g/reset", "{\"offset\":3}"));
        assertThat(group().get("partitions").get(0).get("lag").asLong()).isEqualTo(1);
        ok(204, post(path + "/groups/g/reset", "{\"to\":\"latest\"}"));
        assertThat(group().get("partitions").get(0).get("lag").asLong()).isZero();
        ok(204, post(path + "/groups/g/reset", "{\"timestampMs\":0}"));
        ok(204, post(path + "/groups/other/reset", "{\"to\":\"latest\"}"));

        JsonNode listed = ok(200, gateway.request(path + "/groups?limit=1").build());
        assertThat(listed.get("next").asText()).isEqualTo("g");
        assertThat(ok(200, gateway.request(path + "/groups?after=g").build()).get("groups"))
                .containsExactly(JSON.readTree("\"other\""));
        ok(204, gateway.request(path + "/groups/other").DELETE().build());
        assertFails(
                404,
                "consumer-group-not-found",
                gateway.request(path + "/groups/other").build());
    }

    @Test
    void wrongRequestsAreRefused() throws Exception {
        String member = join();
        poll(member, "");
        assertFails(400, "invalid-offset", member(member, "commit", "{\"partition\":0,\"nextOffset\":1}"));
        assertFails(400, "invalid-offset", member(member, "commit", "{\"partition\":0,\"nextOffset\":0}"));
        assertFails(404, "partition-not-found", member(member, "commit", "{\"partition\":4,\"nextOffset\":1}"));
        assertFails(400, "malformed-request", member(member, "commit", "{\"partition\":0}"));
        assertFails(400, "invalid-name", post(path + "/groups/_g/members", ""));
        assertFails(400, "invalid-name", member("m".repeat(257), "poll", ""));
        assertFails(
                404,
                "consumer-group-not-found",
                gateway.request(path + "/groups/h").build());
        ok(204, gateway.request(path + "/groups/g/members/" + member).DELETE().build());
        for (String wrong :
                List.of("{}", "{\"to\":\"begin\"}", "{\"to\":\"latest\",\"offset\":1}", "{\"offset\":\"1\"}", "[]")) {
            assertFails(400, "malformed-request", post(path + "/groups/g/reset", wrong));
        }
        assertFails(400, "invalid-offset", post(path + "/groups/g/reset", "{\"offset\":1}"));
        assertFails(400, "invalid-offset", post(path + "/groups/g/reset", "{\"offset\":-1}"));
        assertFails(
                404, "partition-not-found", post(path + "/groups/g/reset", "{\"to\":\"latest\",\"partitions\":[9]}"));
    }

    @Test
    void strangerDoesNotSeeTheGroup() throws Exception {
        join();
        AccessKey stranger = gateway.addKey("stranger-" + topics.get(), null, false);
        for (String what : List.of("", "/groups", "/groups/g")) {
            HttpResponse<String> response = gateway.send(gateway.request(path + what)
                    .setHeader("Authorization", TestGateway.basic(stranger))
                    .build());
            assertThat(response.statusCode()).isEqualTo(404);
        }
        assertThat(new TreeSet<>(holders())).containsExactly("");
    }
}
