package io.talosgateway.rest.http.rest;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.talosgateway.rest.Await;
import io.talosgateway.rest.auth.AccessKey;
import io.talosgateway.rest.bootstrap.TestGateway;
import io.talosgateway.rest.http.rest.EventClient.Event;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Streams of messages as server-sent events, over HTTP. */
final class EventStreamIT {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final AtomicInteger topics = new AtomicInteger();

    @TempDir
    static Path directory;

    private static TestGateway gateway;

    @BeforeAll
    static void start() throws Exception {
        gateway = TestGateway.start(
                directory,
                Map.of(
                        "stream.max-streams", "4",
                        "stream.max-percent-per-client", "100",
                        "stream.heartbeat", "100ms",
                        "http.min-rate", "1MiB"));
    }

    @AfterAll
    static void stop() {
        gateway.close();
    }

    @AfterEach
    void nothingIsLeftBehind() throws Exception {
        Await.asLongAs(() -> gateway.metric("talos_streams")
                        + gateway.metric("talos_requests_in_flight")
                        + gateway.metric("talos_bytes_in_flight")
                        + gateway.metric("talos_gets_waiting")
                > 0);
    }

    private static String newTopic() throws Exception {
        String name = "stream-" + topics.incrementAndGet();
        HttpResponse<String> created = gateway.send(gateway.request("/v1/topics")
                .POST(BodyPublishers.ofString("{\"name\":\"" + name + "\",\"partitions\":1}"))
                .build());
        assertThat(created.statusCode()).isEqualTo(201);
        return name;
    }

    private static String path(String topic) {
        return "/v1/topics/" + topic + "/partitions/0/messages";
    }

    private static void put(String topic, String messages) throws Exception {
        HttpResponse<String> answer = gateway.send(gateway.request(path(topic))
                .POST(BodyPublishers.ofString("{\"messages\":[" + messages + "]}"))
                .build());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    }

    private static EventClient open(String topic, String query) throws Exception {
        return open(topic, query, null);
    }

    private static EventClient open(String topic, String query, String lastEventId) throws Exception {
        return EventClient.open(gateway, path(topic) + query, lastEventId);
    }

    private static void assertProblem(EventClient answer, int status, String code) throws Exception {
        String body = answer.text();
        assertThat(answer.response().statusCode()).as(body).isEqualTo(status);
        assertThat(answer.response().headers().firstValue("Content-Type")).hasValue("application/problem+json");
        assertThat(JSON.readTree(body).get("code").asText()).isEqualTo(code);
    }

    private static void assertEndsWith(EventClient stream, String code) throws Exception {
        Event event = stream.next();
        assertThat(event.name()).isEqualTo("problem");
        assertThat(JSON.readTree(event.data()).get("code").asText()).isEqualTo(code);
        assertThat(stream.next()).isNull();
    }

    @Test
    void messagesAreEventsInTheFormInWhichTheyWerePut() throws Exception {
        String topic = newTopic();
        put(topic, "{\"key\":\"k\",\"value\":\"line\\nline\"},{\"value\":{\"a\": 1.0}}");
        try (EventClient stream = open(topic, "?offset=earliest")) {
            assertThat(stream.response().headers().firstValue("Content-Type")).hasValue("text/event-stream");
            assertThat(stream.response().headers().firstValue("Cache-Control")).hasValue("no-store");
            Event first = stream.next();
            assertThat(first.id()).isEqualTo("0");
            JsonNode json = JSON.readTree(first.data());
            assertThat(json.get("offset").asLong()).isZero();
            assertThat(json.get("key").asText()).isEqualTo("k");
            assertThat(json.get("value").asText()).isEqualTo("line\nline");
            assertThat(stream.next().data()).contains("\"value\":{\"a\":1.0}");

            put(topic, "{\"valueBase64\":\"/w==\"}");
            Event live = stream.next();
            assertThat(live.id()).isEqualTo("2");
            assertThat(live.data()).contains("\"valueBase64\":\"/w==\"");
        }
        try (EventClient stream = open(topic, "?offset=1&value=base64")) {
            assertThat(stream.next().data()).contains("\"valueBase64\":\"eyJhIjoxLjB9\"");
        }
    }

    /** A client that loses its connection anywhere sees every message once: no gap, none twice, in order. */
    @Test
    void everyMessageIsSeenOnceAcrossConnections() throws Exception {
        String topic = newTopic();
        int messages = 600;
        CompletableFuture<Void> puts = CompletableFuture.runAsync(() -> {
            try {
                for (int number = 0; number < messages; number += 3) {
                    put(
                            topic,
                            "{\"value\":%d},{\"value\":%d},{\"value\":%d}".formatted(number, number + 1, number + 2));
                }
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        List<Long> seen = new ArrayList<>();
        String lastEventId = null;
        for (int connection = 0; seen.size() < messages; connection++) {
            // The gateway notices later that a client has gone.
            Await.asLongAs(() -> gateway.metric("talos_streams") > 1);
            try (EventClient stream = open(topic, "?offset=earliest", lastEventId)) {
                // Ends at other places inside of blocks each time.
                for (int count = 0; count < 1 + connection * 7 % 40 && seen.size() < messages; count++) {
                    Event event = stream.next();
                    seen.add(event.offset());
                    assertThat(JSON.readTree(event.data()).get("value").asLong())
                            .isEqualTo(event.offset());
                    lastEventId = event.id();
                }
            }
        }
        puts.get();
        assertThat(seen)
                .containsExactlyElementsOf(LongStream.range(0, messages).boxed().toList());
    }

    /** A client that began at the end and has seen nothing yet knows where it was. */
    @Test
    void aStreamTellsWhereItBeginsBeforeThereIsAMessage() throws Exception {
        String topic = newTopic();
        String seen;
        try (EventClient stream = open(topic, "?offset=latest")) {
            while (stream.lastEventId().isEmpty()) {
                stream.line();
            }
            seen = stream.lastEventId();
        }
        assertThat(seen).isEqualTo("-1");
        put(topic, "{\"value\":\"between\"}");
        try (EventClient stream = open(topic, "?offset=latest", seen)) {
            assertThat(stream.next().data()).contains("between");
        }
        try (EventClient stream = open(topic, "", "0")) {
            put(topic, "{\"value\":\"after\"}");
            assertThat(stream.next().data()).contains("after");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "?offset=earliest, x, 400, invalid-offset",
        "?offset=earliest, -2, 400, invalid-offset",
        "?offset=earliest, 1.5, 400, invalid-offset",
        "?offset=earliest, 9999999999999999999, 400, invalid-offset",
        "?offset=earliest, 0, 416, offset-out-of-range",
        "?offset=5, , 416, offset-out-of-range",
        "'', , 400, malformed-request",
        "?offset=earliest&wait=1s, , 400, malformed-request",
        "?offset=earliest&value=xml, , 400, malformed-request",
        "?offset=x, 0, 416, offset-out-of-range"
    })
    void whatCannotBeStreamedIsAProblem(String query, String lastEventId, int status, String code) throws Exception {
        try (EventClient answer = open(newTopic(), query, lastEventId)) {
            assertProblem(answer, status, code);
        }
    }

    @Test
    void aSilentStreamHasHeartbeats() throws Exception {
        try (EventClient stream = open(newTopic(), "?offset=earliest")) {
            for (int heartbeats = 0; heartbeats < 3; ) {
                String line = stream.line();
                heartbeats += line.equals(":") ? 1 : 0;
            }
        }
    }

    @Test
    void headHasNoStream() throws Exception {
        HttpResponse<String> head = gateway.send(gateway.request(path(newTopic()) + "?offset=earliest")
                .header("Accept", "text/event-stream")
                .method("HEAD", BodyPublishers.noBody())
                .build());
        assertThat(head.statusCode()).isEqualTo(200);
        assertThat(head.headers().firstValue("Content-Type")).hasValue("text/event-stream");
    }

    @Test
    void streamsAreBoundedAndAreGivenBack() throws Exception {
        String topic = newTopic();
        List<EventClient> streams = new ArrayList<>();
        for (int count = 0; count < 4; count++) {
            streams.add(open(topic, "?offset=earliest"));
        }
        assertThat(gateway.metric("talos_streams")).isEqualTo(4);
        try (EventClient fifth = open(topic, "?offset=earliest")) {
            assertProblem(fifth, 503, "too-many-streams");
            assertThat(fifth.response().headers().firstValue("Retry-After")).isPresent();
        }
        // Other requests have room.
        put(topic, "{\"value\":\"x\"}");
        for (EventClient stream : streams) {
            assertThat(stream.next().offset()).isZero();
            stream.close();
        }
        Await.asLongAs(() -> gateway.metric("talos_streams") > 0);
        try (EventClient again = open(topic, "?offset=earliest")) {
            assertThat(again.next().offset()).isZero();
        }
    }

    private static HttpRequest.Builder as(AccessKey key, String topic) {
        return HttpRequest.newBuilder(
                        gateway.request(path(topic) + "?offset=earliest").build(), (name, value) -> false)
                .header("Accept", "text/event-stream")
                .header("Authorization", TestGateway.basic(key));
    }

    @Test
    void aKeyWithoutPermissionHasNoStreamAndOneThatLosesItLosesTheStream() throws Exception {
        String topic = newTopic();
        AccessKey key = gateway.addKey("reader-" + topic, false);
        try (EventClient refused = EventClient.open(gateway, as(key, topic).build())) {
            assertProblem(refused, 404, "topic-not-found");
        }
        gateway.grant(topic, key.owner(), "put");
        try (EventClient refused = EventClient.open(gateway, as(key, topic).build())) {
            assertProblem(refused, 403, "permission-denied");
        }
        gateway.grant(topic, key.owner(), "get");
        try (EventClient stream = EventClient.open(gateway, as(key, topic).build())) {
            put(topic, "{\"value\":\"allowed\"}");
            assertThat(stream.next().data()).contains("allowed");
            gateway.grant(topic, key.owner(), "put");
            assertEndsWith(stream, "permission-denied");
        }
    }

    @Test
    void theStreamOfATopicThatIsDeletedEnds() throws Exception {
        String topic = newTopic();
        try (EventClient stream = open(topic, "?offset=earliest")) {
            assertThat(gateway.send(gateway.request("/v1/topics/" + topic)
                                    .DELETE()
                                    .build())
                            .statusCode())
                    .isEqualTo(200);
            Event event = stream.next();
            assertThat(event.name()).isEqualTo("problem");
            assertThat(stream.next()).isNull();
        }
        try (EventClient gone = open(topic, "?offset=earliest")) {
            assertProblem(gone, 404, "topic-not-found");
        }
    }

    /** The offsets of a topic that is created again mean other messages. */
    @Test
    void theStreamDoesNotGoOnInATopicThatIsCreatedAgain() throws Exception {
        String topic = newTopic();
        put(topic, "{\"value\":\"old\"}");
        try (EventClient stream = open(topic, "?offset=earliest")) {
            assertThat(stream.next().data()).contains("old");
            gateway.send(gateway.request("/v1/topics/" + topic).DELETE().build());
            gateway.send(gateway.request("/v1/topics")
                    .POST(BodyPublishers.ofString("{\"name\":\"" + topic + "\",\"partitions\":1}"))
                    .build());
            put(topic, "{\"value\":\"a\"},{\"value\":\"b\"},{\"value\":\"c\"}");
            assertThat(stream.next().name()).isEqualTo("problem");
            assertThat(stream.next()).isNull();
        }
    }

    /** 40 MB wait for a client that takes none of them: the gateway keeps less than one, and then ends the connection. */
    @Test
    void aClientThatDoesNotReadIsNotReadFor() throws Exception {
        String topic = newTopic();
        String message = "{\"value\":\"" + "x".repeat(100_000) + "\"}";
        for (int puts = 0; puts < 40; puts++) {
            put(topic, String.join(",", java.util.Collections.nCopies(10, message)));
        }
        double sentBefore = gateway.metric("talos_sent_bytes_total");
        try (Socket socket = new Socket()) {
            socket.setReceiveBufferSize(4 * 1024);
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), gateway.port()));
            socket.getOutputStream()
                    .write(("GET " + path(topic)
                                    + "?offset=earliest HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n"
                                    + "Authorization: " + TestGateway.basic(gateway.key()) + "\r\n\r\n")
                            .getBytes(StandardCharsets.ISO_8859_1));
            double[] most = new double[1];
            Await.until(() -> {
                most[0] = Math.max(most[0], gateway.metric("talos_bytes_in_flight"));
                return gateway.metric("talos_sent_bytes_total") > sentBefore && gateway.metric("talos_streams") == 0;
            });
            assertThat(most[0]).isBetween(1.0, 4e6);
            assertThat(gateway.metric("talos_sent_bytes_total") - sentBefore).isLessThan(20e6);
            assertThat(readAll(socket)).isLessThan(20_000_000);
        }
    }

    private static long readAll(Socket socket) {
        long bytes = 0;
        byte[] buffer = new byte[64 * 1024];
        try (InputStream in = socket.getInputStream()) {
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                bytes += read;
            }
        } catch (IOException e) {
            // The connection was reset.
        }
        return bytes;
    }

    /** Streams are requests that never end by themselves: a host that stops must not wait for them. */
    @Test
    void streamsEndProperlyWhenTheHostStopsAndGoOnAfterwards() throws Exception {
        Path own = directory.resolve("own");
        try (TestGateway other = TestGateway.start(own, Map.of("shutdown.drain-timeout", "10m"))) {
            other.send(other.request("/v1/topics")
                    .POST(BodyPublishers.ofString("{\"name\":\"t\",\"partitions\":1}"))
                    .build());
            HttpRequest put = other.request(path("t"))
                    .POST(BodyPublishers.ofString("{\"messages\":[{\"value\":\"one\"}]}"))
                    .build();
            other.send(put);
            String seen;
            try (EventClient stream = EventClient.open(other, path("t") + "?offset=earliest", null)) {
                seen = stream.next().id();
                long before = System.nanoTime();
                other.restart();
                assertThat(System.nanoTime() - before).isLessThan(TimeUnit.MINUTES.toNanos(3));
                assertThat(stream.next()).isNull();
            }
            other.send(other.request(path("t"))
                    .POST(BodyPublishers.ofString("{\"messages\":[{\"value\":\"two\"}]}"))
                    .build());
            try (EventClient stream = EventClient.open(other, path("t") + "?offset=earliest", seen)) {
                assertThat(stream.next().data()).contains("\"two\"");
            }
        }
    }
}
