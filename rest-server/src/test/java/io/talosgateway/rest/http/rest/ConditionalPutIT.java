package io.talosgateway.rest.http.rest;

import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
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

/** Puts that expect an offset. */
final class ConditionalPutIT {

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
                .POST(BodyPublishers.ofString("{\"name\":\"" + topic + "\",\"partitions\":1}"))
                .build());
        assertThat(created.statusCode()).as(created.body()).isEqualTo(201);
    }

    private record Answer(int status, JsonNode json) {

        long number(String field) {
            return json.get(field).asLong();
        }
    }

    private Answer put(String query, String key, int messages) throws Exception {
        String message = "{\"value\":\"m\"}";
        HttpResponse<String> response =
                gateway.send(gateway.request("/v1/topics/" + topic + "/partitions/0/messages" + query)
                        .header("Idempotency-Key", key)
                        .POST(BodyPublishers.ofString(
                                "{\"messages\":[" + message + ("," + message).repeat(messages - 1) + "]}"))
                        .build());
        return new Answer(response.statusCode(), JSON.readTree(response.body()));
    }

    private Answer putAt(long offset, String key, int messages) throws Exception {
        return put("?expected-offset=" + offset, key, messages);
    }

    private static void assertEndsAt(long end, Answer refused) {
        assertThat(refused.status).as("%s", refused).isEqualTo(412);
        assertThat(refused.json.get("code").asText()).isEqualTo("unexpected-offset");
        assertThat(refused.json.get("retry").asText()).isEqualTo("never");
        assertThat(refused.number("logEndOffset")).isEqualTo(end);
        assertThat(refused.json.get("detail").asText()).contains("the next message gets the offset " + end);
    }

    @Test
    void putIsStoredWhereItExpectsOrNowhere() throws Exception {
        assertThat(putAt(0, "a", 2).number("firstOffset")).isZero();
        assertEndsAt(2, putAt(0, "b", 1));
        assertEndsAt(2, putAt(1, "c", 1));
        assertEndsAt(2, putAt(3, "d", 1));
        assertThat(put("", "e", 1).number("firstOffset")).isEqualTo(2);
        assertThat(putAt(3, "f", 1).number("firstOffset")).isEqualTo(3);
    }

    @Test
    void repeatOfAPutThatWasStoredIsToldSo() throws Exception {
        assertThat(putAt(0, "a", 2).status).isEqualTo(200);
        put("", "other", 1);
        Answer repeat = putAt(0, "a", 2);
        assertThat(repeat.status).isEqualTo(200);
        assertThat(repeat.json.get("repeat").asBoolean()).isTrue();
        assertThat(repeat.number("firstOffset")).isZero();
        assertEndsAt(3, putAt(0, "b", 2));
        // A key of a put that was refused is as good as new.
        assertThat(putAt(3, "b", 2).number("firstOffset")).isEqualTo(3);
    }

    private Answer setToken(String json) throws Exception {
        HttpResponse<String> response =
                gateway.send(gateway.request("/v1/topics/" + topic + "/partitions/0/fencing-token")
                        .PUT(BodyPublishers.ofString(json))
                        .build());
        return new Answer(response.statusCode(), JSON.readTree(response.body()));
    }

    private void take(String token, String replaces) throws Exception {
        Answer taken = setToken("{\"token\":\"" + token + "\",\"replaces\":\"" + replaces + "\"}");
        assertThat(taken.status).as("%s", taken).isEqualTo(200);
        assertThat(taken.json.get("token").asText()).isEqualTo(token);
    }

    private static void assertFenced(String by, Answer refused) {
        assertThat(refused.status).as("%s", refused).isEqualTo(412);
        assertThat(refused.json.get("code").asText()).isEqualTo("fenced");
        assertThat(refused.json.get("retry").asText()).isEqualTo("never");
        assertThat(refused.json.path("fencingToken").asText("none")).isEqualTo(by);
    }

    @Test
    void writerWhosePartitionWasTakenIsRefused() throws Exception {
        assertFenced("none", put("?fencing-token=a", "1", 1));
        assertThat(setToken("{\"token\":\"a\"}").status).isEqualTo(200);
        assertThat(put("?fencing-token=a", "1", 1).number("firstOffset")).isZero();

        take("b", "a");
        assertFenced("b", put("?fencing-token=a", "2", 1));
        assertThat(put("?fencing-token=a", "1", 1).json.get("repeat").asBoolean())
                .as("it was stored before")
                .isTrue();
        assertThat(put("?fencing-token=b&expected-offset=1", "3", 1).number("firstOffset"))
                .isEqualTo(1);
        assertThat(put("", "4", 1).number("firstOffset")).as("without a token").isEqualTo(2);
        assertEndsAt(3, put("?fencing-token=b&expected-offset=1", "5", 1));
        // A put that was refused for the offset is not waited for.
        take("c", "b");
    }

    @Test
    void tokenIsSetOnceHoweverOftenThatIsAsked() throws Exception {
        assertFenced("none", setToken("{\"token\":\"a\",\"replaces\":\"x\"}"));
        assertThat(setToken("{\"token\":\"a\"}").status).isEqualTo(200);
        assertThat(setToken("{\"token\":\"a\"}").status).as("a repeat").isEqualTo(200);
        assertFenced("a", setToken("{\"token\":\"b\"}"));
        take("b", "a");
        assertFenced("b", setToken("{\"token\":\"a\"}"));
        HttpResponse<String> shown = gateway.send(
                gateway.request("/v1/topics/" + topic + "/partitions/0").build());
        assertThat(JSON.readTree(shown.body()).get("fencingToken").asText()).isEqualTo("b");
    }

    @Test
    void whatIsNoFencingTokenIsRefused() throws Exception {
        for (String token : List.of("", "a%20b", "%C3%A9", "a".repeat(65))) {
            assertThat(put("?fencing-token=" + token, "a", 1).json.get("code").asText())
                    .as(token)
                    .isEqualTo("invalid-name");
        }
        for (String json : List.of("{}", "{\"replaces\":\"a\"}", "{\"token\":\"\"}", "[]", "{\"token\":\"a b\"}")) {
            assertThat(setToken(json).status).as(json).isEqualTo(400);
        }
        assertFenced("none", put("?fencing-token=a", "b", 1));
    }

    @Test
    void whatIsNoOffsetIsRefused() throws Exception {
        for (String offset : List.of("", "-1", "x", "1.5", "1".repeat(19))) {
            Answer refused = put("?expected-offset=" + offset, "a", 1);
            assertThat(refused.status).as(offset).isEqualTo(400);
            assertThat(refused.json.get("code").asText()).isEqualTo("invalid-offset");
        }
        HttpResponse<String> ofTopic =
                gateway.send(gateway.request("/v1/topics/" + topic + "/messages?expected-offset=0")
                        .POST(BodyPublishers.ofString("{\"messages\":[{\"value\":\"m\"}]}"))
                        .build());
        assertThat(ofTopic.statusCode()).as("a topic has no offset").isEqualTo(400);
    }

    /** Each writer reads where the partition ends, and puts there; beside them somebody puts anywhere. */
    @Test
    void ofSeveralWritersEachPutsAtItsOwnOffset() throws Exception {
        int writers = 8;
        int each = 20;
        AtomicInteger refusals = new AtomicInteger();
        ExecutorService threads = Executors.newFixedThreadPool(writers + 1);
        try {
            List<Callable<Void>> all = new ArrayList<>();
            for (int writer = 0; writer < writers; writer++) {
                int number = writer;
                all.add(() -> {
                    long end = 0;
                    for (int put = 0; put < each; ) {
                        Answer answer = putAt(end, number + "-" + put, 1);
                        if (answer.status == 200) {
                            assertThat(answer.number("firstOffset")).isEqualTo(end);
                            assertThat(answer.json.get("repeat").asBoolean()).isFalse();
                            put++;
                            end++;
                        } else {
                            refusals.incrementAndGet();
                            assertThat(answer.number("logEndOffset")).isGreaterThan(end);
                            end = answer.number("logEndOffset");
                        }
                    }
                    return null;
                });
            }
            all.add(() -> {
                for (int put = 0; put < each; put++) {
                    assertThat(put("", "any-" + put, 1).status).isEqualTo(200);
                }
                return null;
            });
            for (Future<Void> writer : threads.invokeAll(all)) {
                writer.get();
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(refusals).as("they were in each other's way").hasPositiveValue();
        assertEndsAt((writers + 1L) * each, putAt(0, "last", 1));
    }
}
