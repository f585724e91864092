package io.talosgateway.client;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.talosgateway.wire.message.ValueForm;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.tuple;

/** What the client sends and makes of answers, with a server that answers as told. */
final class GatewayClientTest {

    private static final String STORED = """
            {"topic":"orders","partition":3,"firstOffset":42,"count":1,"durability":"disk","repeat":false,
             "appendedAtMs":7,"newField":1}""";

    private final Queue<Answer> answers = new ConcurrentLinkedQueue<>();
    private final Queue<Received> received = new ConcurrentLinkedQueue<>();
    private HttpServer server;
    private GatewayClient client;

    private record Answer(int status, String body, @Nullable String retryAfter) {

        Answer(int status, String body) {
            this(status, body, null);
        }
    }

    private record Received(
            String method, String target, String key, String authorization, String budget, String body) {}

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
        client = client(server.getAddress().getPort(), RetryPolicy.DEFAULT);
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private static GatewayClient client(int port, RetryPolicy retries) {
        return GatewayClient.builder(URI.create("http://127.0.0.1:" + port))
                .key("id", "secret")
                .connectTimeout(Duration.ofMinutes(1))
                .retries(new RetryPolicy(retries.maxAttempts(), Duration.ofMillis(1), Duration.ofMillis(2)))
                .build();
    }

    private void answer(HttpExchange exchange) throws IOException {
        received.add(new Received(
                exchange.getRequestMethod(),
                exchange.getRequestURI().toString(),
                exchange.getRequestHeaders().getFirst("Idempotency-Key"),
                exchange.getRequestHeaders().getFirst("Authorization"),
                exchange.getRequestHeaders().getFirst("Talos-Timeout-Ms"),
                new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8)));
        Answer answer = answers.remove();
        byte[] body = answer.body.getBytes(StandardCharsets.UTF_8);
        if (answer.retryAfter != null) {
            exchange.getResponseHeaders().set("Retry-After", answer.retryAfter);
        }
        exchange.sendResponseHeaders(answer.status, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private void refuses(int status, String code, String retry) {
        answers.add(new Answer(
                status, "{\"code\":\"%s\",\"detail\":\"Because.\",\"retry\":\"%s\"}".formatted(code, retry)));
    }

    private static GatewayClientException failureOf(CompletableFuture<?> future) {
        ExecutionException failure = catchThrowableOfType(ExecutionException.class, future::get);
        assertThat(failure).hasCauseInstanceOf(GatewayClientException.class);
        return (GatewayClientException) failure.getCause();
    }

    @Test
    void putThatMayBeRepeatedIsSentAgainWithTheSameKey() throws Exception {
        refuses(503, "overloaded", "after-backoff");
        refuses(504, "outcome-unknown", "same-key");
        answers.add(new Answer(200, STORED));

        Stored stored = client.put("orders", 3, List.of(NewMessage.of("paid".getBytes(UTF_8))))
                .get();

        assertThat(stored).isEqualTo(new Stored("orders", 3, 42, 1, "disk", false, 7));
        assertThat(received).hasSize(3);
        assertThat(received.stream().map(Received::key).distinct())
                .singleElement()
                .asString()
                .matches("\"[0-9a-f-]{36}\"");
        assertThat(received).allSatisfy(request -> {
            assertThat(request.method).isEqualTo("POST");
            assertThat(request.target).isEqualTo("/v1/topics/orders/partitions/3/messages");
            assertThat(request.body).isEqualTo("paid");
            assertThat(request.authorization).isEqualTo("Basic aWQ6c2VjcmV0");
            assertThat(Integer.parseInt(request.budget)).isBetween(1, 30_000);
        });
    }

    @Test
    void groupsAreReadResetAndDeleted() throws Exception {
        answers.add(new Answer(200, "{\"topic\":\"t\",\"groups\":[\"a\"],\"next\":\"a\"}"));
        answers.add(new Answer(200, "{\"topic\":\"t\",\"groups\":[\"b\"]}"));
        answers.add(new Answer(200, """
                {"topic":"t","group":"b","members":["m"],"partitions":[
                 {"partition":0,"member":"m","nextOffset":3,"logEndOffset":5,"lag":2},{"partition":1}]}"""));
        answers.add(new Answer(200, ""));
        answers.add(new Answer(200, ""));
        answers.add(new Answer(200, ""));

        assertThat(client.groups("t").get()).containsExactly("a", "b");
        assertThat(client.group("t", "b").get())
                .isEqualTo(new ConsumerGroup(
                        "t",
                        "b",
                        List.of("m"),
                        List.of(
                                new ConsumerGroup.Progress(0, "m", 3L, 5L, 2L),
                                new ConsumerGroup.Progress(1, null, null, null, null))));
        client.resetGroup("t", "b", Position.EARLIEST, null).get();
        client.resetGroup("t", "b", Position.timestampMs(7), 3).get();
        client.deleteGroup("t", "b").get();
        assertThat(received)
                .extracting(Received::method, Received::target, Received::body)
                .containsExactly(
                        tuple("GET", "/v1/topics/t/groups", ""),
                        tuple("GET", "/v1/topics/t/groups?after=a", ""),
                        tuple("GET", "/v1/topics/t/groups/b", ""),
                        tuple("POST", "/v1/topics/t/groups/b/reset", "{\"to\":\"earliest\"}"),
                        tuple("POST", "/v1/topics/t/groups/b/reset", "{\"timestampMs\":7,\"partitions\":[3]}"),
                        tuple("DELETE", "/v1/topics/t/groups/b", ""));
    }

    @Test
    void quotasAreSentAndRead() throws Exception {
        QuotaLimits limits = new QuotaLimits(2, null, null, 3, null, null, 5L);
        answers.add(new Answer(200, """
                {"owner":"a/b","topics":2,"partitions":9,"putRequestsPerSecond":3,"getBytesPerSecond":5,"appliedPartitions":7,
                 "usedTopics":1,"usedPartitions":4,"usedBytes":6,"newField":1}"""));
        answers.add(new Answer(200, """
                {"quotas":[{"owner":"a b","topics":1,"partitions":2,"usedTopics":0,"usedPartitions":0}],"next":"a b"}"""));
        answers.add(new Answer(200, "{\"quotas\":[]}"));

        Quota set = client.setOwnerQuota("a/b", limits).get();
        List<Quota> all = client.ownerQuotas().get();

        assertThat(set).isEqualTo(new Quota(null, "a/b", new QuotaLimits(2, 9, null, 3, null, null, 5L), 7, 1, 4, 6L));
        assertThat(all).extracting(Quota::owner).containsExactly("a b");
        assertThat(received)
                .extracting(Received::method, Received::target, Received::body)
                .containsExactly(
                        tuple(
                                "PUT",
                                "/v1/quotas/a%2Fb",
                                "{\"topics\":2,\"putRequestsPerSecond\":3,\"getBytesPerSecond\":5}"),
                        tuple("GET", "/v1/quotas", ""),
                        tuple("GET", "/v1/quotas?after=a%20b", ""));
    }

    @Test
    void partitionIsTakenFromWhoeverHasIt() throws Exception {
        String fenced = "{\"code\":\"fenced\",\"retry\":\"never\",\"fencingToken\":\"%s\"}";
        answers.add(new Answer(412, fenced.formatted("a")));
        answers.add(new Answer(412, fenced.formatted("b")));
        answers.add(new Answer(200, "{\"topic\":\"t\",\"partition\":3,\"token\":\"mine\"}"));
        String token = client.takePartition("t", 3).get();
        assertThat(received)
                .extracting(Received::method, Received::target, Received::body)
                .containsExactly(
                        tuple("PUT", "/v1/topics/t/partitions/3/fencing-token", "{\"token\":\"" + token + "\"}"),
                        tuple(
                                "PUT",
                                "/v1/topics/t/partitions/3/fencing-token",
                                "{\"token\":\"" + token + "\",\"replaces\":\"a\"}"),
                        tuple(
                                "PUT",
                                "/v1/topics/t/partitions/3/fencing-token",
                                "{\"token\":\"" + token + "\",\"replaces\":\"b\"}"));

        answers.add(new Answer(403, "{\"code\":\"forbidden\",\"retry\":\"never\"}"));
        assertThat(failureOf(client.takePartition("t", 3)).code()).isEqualTo("forbidden");
    }

    @Test
    void conditionsOfAPutAreInItsQuery() throws Exception {
        answers.add(new Answer(200, STORED));
        answers.add(new Answer(200, STORED));
        answers.add(new Answer(412, "{\"code\":\"fenced\",\"retry\":\"never\",\"fencingToken\":\"b\"}"));
        client.putIf("t", 0, PutCondition.endsAt(7), List.of(NewMessage.of("m")))
                .get();
        client.putIf(
                        "t",
                        0,
                        new PutCondition(7L, "a"),
                        List.of(NewMessage.of(new byte[1]).withKey("k")))
                .get();
        GatewayClientException refused =
                failureOf(client.putIf("t", 0, PutCondition.hasToken("a"), List.of(NewMessage.of("m"))));
        assertThat(refused.code()).isEqualTo("fenced");
        assertThat(refused.problem().fencingToken()).isEqualTo("b");
        assertThat(received)
                .extracting(Received::target)
                .containsExactly(
                        "/v1/topics/t/partitions/0/messages?expected-offset=7",
                        "/v1/topics/t/partitions/0/messages?key=k&expected-offset=7&fencing-token=a",
                        "/v1/topics/t/partitions/0/messages?fencing-token=a");
    }

    @Test
    void requestIsNotRepeatedBeforeTheGatewaySaysSo() throws Exception {
        String throttled = "{\"code\":\"throttled\",\"detail\":\"Because.\",\"retry\":\"after-backoff\"}";
        answers.add(new Answer(429, throttled, "31"));
        GatewayClientException refused = failureOf(client.topics());
        assertThat(refused.code()).as("its time is over then").isEqualTo("throttled");
        assertThat(refused.retryAfter()).isEqualTo(Duration.ofSeconds(31));
        assertThat(received).hasSize(1);

        answers.add(new Answer(429, throttled, "0"));
        answers.add(new Answer(200, "{\"topics\":[]}"));
        assertThat(client.topics().get()).isEmpty();
        answers.add(new Answer(429, throttled, "Wed, 21 Oct 2026 07:28:00 GMT"));
        answers.add(new Answer(200, "{\"topics\":[]}"));
        assertThat(client.topics().get()).isEmpty();
    }

    @Test
    void everyPutHasAKeyOfItsOwn() throws Exception {
        answers.add(new Answer(200, STORED));
        answers.add(new Answer(200, STORED));

        client.put("orders", 3, List.of(NewMessage.of("a"))).get();
        client.put("orders", 3, List.of(NewMessage.of("a"))).get();

        assertThat(received.stream().map(Received::key).distinct()).hasSize(2);
    }

    @Test
    void wrongRequestIsSentOnceAndItsProblemGiven() {
        refuses(404, "topic-not-found", "never");

        GatewayClientException failure = failureOf(client.put("orders", 3, List.of(NewMessage.of("a"))));

        assertThat(failure).hasMessage("Because.");
        assertThat(failure.code()).isEqualTo("topic-not-found");
        assertThat(failure.retry()).isEqualTo(Retry.NEVER);
        assertThat(failure.problem()).isNotNull().extracting(Problem::status).isEqualTo(404);
        assertThat(received).hasSize(1);
    }

    @Test
    void outcomeThatIsUnknownIsNotTriedAgain() {
        refuses(504, "outcome-unknown", "outcome-unknown");

        assertThat(failureOf(client.createTopic(new NewTopic("orders"))).retry())
                .isEqualTo(Retry.OUTCOME_UNKNOWN);
        assertThat(received).hasSize(1);
    }

    @Test
    void topicsAreGotPageByPage() throws Exception {
        String topic = """
                {"name":"%s","resourceName":"r","owner":"o","partitions":1,"retentionMs":1,"attributes":{},"createdAtMs":1}""";
        answers.add(new Answer(200, "{\"topics\":[" + topic.formatted("a") + "],\"next\":\"a\"}"));
        answers.add(new Answer(200, "{\"topics\":[" + topic.formatted("b") + "]}"));

        assertThat(client.topics().get()).extracting(Topic::name).containsExactly("a", "b");
        assertThat(received.stream().map(Received::target)).containsExactly("/v1/topics", "/v1/topics?after=a");
    }

    @Test
    void attemptsAreBounded() {
        for (int attempt = 0; attempt < 3; attempt++) {
            refuses(503, "overloaded", "after-backoff");
        }
        GatewayClient impatient =
                client(server.getAddress().getPort(), new RetryPolicy(3, Duration.ZERO, Duration.ZERO));

        assertThat(failureOf(impatient.topics()).code()).isEqualTo("overloaded");
        assertThat(received).hasSize(3);
    }

    @Test
    void retryClassOfANewerGatewayIsTakenForNever() {
        refuses(503, "new-code", "when-the-moon-is-full");

        assertThat(failureOf(client.topics()).retry()).isEqualTo(Retry.NEVER);
        assertThat(received).hasSize(1);
    }

    @Test
    void answerOfSomethingElseThanAGatewayIsAClearFailure() {
        answers.add(new Answer(200, "<html>It works!</html>"));
        assertThat(failureOf(client.topics())).hasMessageStartingWith("The answer is not one of a Talos Gateway");

        answers.add(new Answer(418, "<html>teapot</html>"));
        assertThat(failureOf(client.topics())).hasMessage("HTTP status 418");

        answers.add(new Answer(200, "null"));
        assertThat(failureOf(client.topics())).hasMessageStartingWith("The answer is not one of a Talos Gateway");
        answers.add(new Answer(404, "null"));
        assertThat(failureOf(client.topics()).problem())
                .isNotNull()
                .extracting(Problem::status)
                .isEqualTo(404);
    }

    @Test
    void nobodyThereIsSaidWithTheAddress() throws IOException {
        // It is held, so that no other program can have it, and nobody listens.
        try (Socket held = new Socket()) {
            held.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            int port = held.getLocalPort();

            assertThat(failureOf(client(port, RetryPolicy.NONE).topics()))
                    .hasMessage(
                            "No gateway answers at http://127.0.0.1:%d. Is it running, and is the address right?",
                            port);
        }
    }

    @Test
    void severalMessagesGoAsJsonInTheFormThatTheyHave() throws Exception {
        answers.add(new Answer(207, """
                {"topic":"orders","results":[
                 {"partition":3,"messages":[0],"status":200,"stored":%s},
                 {"partition":5,"messages":[1],"status":503,
                  "problem":{"status":503,"code":"overloaded","retry":"never"}}]}""".formatted(STORED)));

        List<PutPart> parts = client.put(
                        "orders",
                        List.of(
                                NewMessage.of("a\"").withKey("k"),
                                NewMessage.of(new byte[] {-1}),
                                NewMessage.ofJson("{ \"total\" : 1.0 }"),
                                NewMessage.of("b".getBytes(UTF_8)),
                                new NewMessage(null, new byte[] {-1}, ValueForm.TEXT)))
                .get();

        assertThat(received.remove().body)
                .isEqualTo("{\"messages\":[{\"key\":\"k\",\"value\":\"a\\\"\"},{\"valueBase64\":\"/w==\"},"
                        + "{\"value\":{\"total\":1.0}},{\"valueBase64\":\"Yg==\"},{\"valueBase64\":\"/w==\"}]}");
        assertThat(parts).extracting(PutPart::isStored).containsExactly(true, false);
        assertThat(parts.get(1).problem())
                .isNotNull()
                .extracting(Problem::retry)
                .isEqualTo(Retry.NEVER);
    }

    @Test
    void getAsksForWhatItIsToldAndReadsTextAndBytes() throws Exception {
        answers.add(new Answer(200, """
                {"topic":"orders","partition":0,"nextOffset":9,"logStartOffset":0,"logEndOffset":9,"messages":[
                 {"offset":7,"key":"k","value":"paid","appendedAtMs":5},{"offset":8,"valueBase64":"/w=="}]}"""));

        Messages messages = client.get(
                        "orders",
                        0,
                        Position.offset(7),
                        GetOptions.DEFAULT.withMaxMessages(2).withMaxWait(Duration.ofMillis(1500)))
                .get();

        assertThat(received.remove().target)
                .isEqualTo("/v1/topics/orders/partitions/0/messages"
                        + "?offset=7&max-messages=2&max-bytes=1048576&wait=1500ms");
        assertThat(messages.nextOffset()).isEqualTo(9);
        assertThat(messages.messages().get(0).text()).isEqualTo("paid");
        assertThat(messages.messages().get(0).key()).isEqualTo("k");
        assertThat(messages.messages().get(1).payload()).containsExactly(-1);
    }

    @Test
    void allPagesOfPartitionsAreAskedFor() throws Exception {
        answers.add(new Answer(
                200, "{\"topic\":\"orders\",\"partitions\":[{\"partition\":0},{\"partition\":1}],\"next\":1}"));
        answers.add(new Answer(200, "{\"topic\":\"orders\",\"partitions\":[{\"partition\":2}]}"));

        assertThat(client.partitions("orders").get())
                .extracting(Partition::partition)
                .containsExactly(0, 1, 2);

        assertThat(received.remove().target).isEqualTo("/v1/topics/orders/partitions");
        assertThat(received.remove().target).isEqualTo("/v1/topics/orders/partitions?after=1");
    }

    @Test
    void oneTextGoesAsJsonBecauseOfItsForm() throws Exception {
        answers.add(new Answer(200, STORED));

        client.put("orders", 3, List.of(NewMessage.of("paid"))).get();

        assertThat(received.remove().body).isEqualTo("{\"messages\":[{\"value\":\"paid\"}]}");
    }

    @Test
    void valuesKeepTheirFormAndTheirDigits() throws Exception {
        answers.add(new Answer(200, """
                {"topic":"orders","partition":0,"nextOffset":6,"logStartOffset":0,"logEndOffset":6,"messages":[
                 {"offset":0,"value":{"b":1.0,"a":[123456789012345678901234567890,1E400,"\\ud83d\\ude00\\u00e4"]}},
                 {"offset":1,"value":"{}"},{"offset":2,"valueBase64":"e30="},{"offset":3,"value":-0.0},
                 {"offset":4,"value":false},{"offset":5,"value":[ ]}]}"""));

        List<Message> messages = client.get("orders", 0, Position.offset(0), GetOptions.DEFAULT)
                .get()
                .messages();

        assertThat(messages)
                .extracting(Message::text)
                .containsExactly(
                        "{\"b\":1.0,\"a\":[123456789012345678901234567890,1E400,\"\ud83d\ude00ä\"]}",
                        "{}",
                        "{}",
                        "-0.0",
                        "false",
                        "[]");
        assertThat(messages)
                .extracting(Message::form)
                .containsExactly(
                        ValueForm.JSON,
                        ValueForm.TEXT,
                        ValueForm.BYTES,
                        ValueForm.JSON,
                        ValueForm.JSON,
                        ValueForm.JSON);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "null", "{", "1 2", "{}},{\"value\":1", "NaN", "01"})
    void whatIsNotOneJsonValueIsRefusedAtOnce(String json) {
        assertThatIllegalArgumentException().isThrownBy(() -> NewMessage.ofJson(json));
    }

    @Test
    void keysAreEncodedForTheQuery() throws Exception {
        answers.add(new Answer(200, "{\"topic\":\"orders\",\"results\":[]}"));

        client.put("orders", List.of(new NewMessage("a b&c+ä", new byte[] {1}))).get();

        assertThat(received.remove().target).isEqualTo("/v1/topics/orders/messages?key=a%20b%26c%2B%C3%A4");
    }

    @Test
    void whatCannotBeAnAddressOrAPositionIsRefusedAtOnce() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> GatewayClient.builder(URI.create("localhost:8080")))
                .withMessageContaining("looks like http://host:8080");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Position.parse("yesterday"))
                .withMessage("'yesterday' is not an offset, 'earliest' or 'latest'");
        assertThatIllegalArgumentException().isThrownBy(() -> Position.offset(-1));
    }
}
