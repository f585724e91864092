package io.talosgateway.rest.bootstrap;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.opentelemetry.proto.trace.v1.Span;
import io.talosgateway.rest.Await;
import io.talosgateway.rest.auth.AccessKey;
import io.talosgateway.rest.auth.KeyFile;
import io.talosgateway.rest.bootstrap.TraceCollector.Recorded;
import io.talosgateway.rest.journal.hdfs.HdfsCluster;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** What two hosts of a cluster note of the requests that one of them hands to the other. */
final class RequestLogsIT {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String TRACE_ID = "0af7651916cd43dd8448eb211c80319c";
    private static final Pattern OWNER = Pattern.compile("\"partition\":(\\d+),\"owner\":\"127\\.0\\.0\\.1:(\\d+)\"");

    @TempDir
    static Path directory;

    private static HdfsCluster hdfs;
    private static TestingServer zooKeeper;
    private static TraceCollector collector;
    private static TestGateway front;
    private static TestGateway owner;

    @BeforeAll
    static void start() throws Exception {
        hdfs = HdfsCluster.start(directory.resolve("hdfs"), 1);
        zooKeeper = new TestingServer(true);
        collector = new TraceCollector();
        AccessKey key = KeyFile.create(directory.resolve("keys.json"), "tester", true, InstantSource.system());
        front = start("front", key);
        owner = start("owner", key);
        front.send(front.request("/v1/topics")
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString("{\"name\":\"t\",\"partitions\":8}"))
                .build());
        // Until both hosts agree: the placement may be known before the owner has taken the partition over.
        Await.asLongAs(() -> partitionOf(owner) < 0
                || front.send(put(partitionOf(owner)).build()).statusCode() != 200);
    }

    private static TestGateway start(String host, AccessKey key) throws IOException {
        Map<String, String> settings = new HashMap<>();
        settings.put("host.name", host);
        settings.put("storage.root", hdfs.uri() + "/talos");
        settings.put("hadoop.dfs.replication", "1");
        settings.put("zookeeper.connect", zooKeeper.getConnectString());
        settings.put("zookeeper.auth", "hosts:secret");
        settings.put("auth.key-file", directory.resolve("keys.json").toString());
        settings.put("cluster.join-delay", "100ms");
        settings.put("cluster.stop-notice", "0s");
        settings.put("access.file", accessLog(host).toString());
        settings.put("tracing.otlp-endpoint", collector.url());
        // None but those that the test's traceparent says.
        settings.put("tracing.sample-ratio", "0");
        settings.put("audit.file", directory.resolve(host + "-audit.log").toString());
        return TestGateway.start(directory.resolve(host), settings, key);
    }

    @AfterAll
    static void stop() throws Exception {
        front.close();
        owner.close();
        collector.close();
        zooKeeper.close();
        hdfs.close();
    }

    private static Path accessLog(String host) {
        return directory.resolve(host + "-access.log");
    }

    /** A partition that this host serves, as the other one knows; -1 if there is none. */
    private static int partitionOf(TestGateway host) throws Exception {
        String partitions =
                front.send(front.request("/v1/topics/t/partitions").build()).body();
        Matcher matcher = OWNER.matcher(partitions);
        while (matcher.find()) {
            if (Integer.parseInt(matcher.group(2)) == host.port()) {
                return Integer.parseInt(matcher.group(1));
            }
        }
        return -1;
    }

    private static HttpRequest.Builder put(int partition) {
        return front.request("/v1/topics/t/partitions/" + partition + "/messages")
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString("{\"messages\":[{\"value\":\"x\"}]}"));
    }

    private static String requestId(HttpResponse<String> answer) {
        return answer.headers().firstValue("X-Request-Id").orElseThrow();
    }

    /** The lines about a request, once there is one. */
    private static List<JsonNode> lines(Path file, String requestId) throws Exception {
        Await.asLongAs(() -> !Files.readString(file).contains('"' + requestId + '"'));
        return Files.readAllLines(file).stream()
                .map(RequestLogsIT::parsed)
                .filter(line -> line.path("requestId").asText().equals(requestId))
                .toList();
    }

    private static JsonNode parsed(String line) {
        try {
            return JSON.readTree(line);
        } catch (IOException e) {
            throw new AssertionError(line, e);
        }
    }

    @Test
    void idAndTraceOfTheClientAreInTheLogsOfBothHosts() throws Exception {
        HttpResponse<String> answer = front.send(put(partitionOf(owner))
                .header("X-Request-Id", "order-4711")
                .header("traceparent", "00-" + TRACE_ID + "-b7ad6b7169203331-00")
                .header("User-Agent", "tests")
                .build());

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(requestId(answer)).isEqualTo("order-4711");
        assertThat(lines(accessLog("front"), "order-4711")).singleElement().satisfies(line -> {
            assertThat(line.get("traceId").asText()).isEqualTo(TRACE_ID);
            assertThat(line.get("interface").asText()).isEqualTo("rest");
            assertThat(line.get("address").asText()).isEqualTo("127.0.0.1");
            assertThat(line.get("key").asText()).isEqualTo(front.key().id());
            assertThat(line.get("method").asText()).isEqualTo("POST");
            assertThat(line.get("target").asText()).startsWith("/v1/topics/t/partitions/");
            assertThat(line.get("operation").asText()).isEqualTo("putToPartition");
            assertThat(line.get("status").asInt()).isEqualTo(200);
            assertThat(line.get("outcome").asText()).isEqualTo("ok");
            assertThat(line.get("bytesIn").asInt()).isEqualTo(28);
            assertThat(line.get("bytesOut").asInt()).isEqualTo(answer.body().length());
            assertThat(line.get("durationMs").asDouble()).isPositive();
            assertThat(line.get("owner").asText()).isEqualTo("owner");
            assertThat(line.get("userAgent").asText()).isEqualTo("tests");
        });
        assertThat(lines(accessLog("owner"), "order-4711")).singleElement().satisfies(line -> {
            assertThat(line.get("traceId").asText()).isEqualTo(TRACE_ID);
            assertThat(line.get("interface").asText()).isEqualTo("host");
            assertThat(line.get("address").asText()).isEqualTo("front");
            assertThat(line.get("operation").asText()).isEqualTo("transferPutMessage");
            assertThat(line.get("outcome").asText()).isEqualTo("ok");
        });
    }

    @Test
    void idThatIsNotSafeIsReplacedAndNowhereToBeSeen() throws Exception {
        HttpResponse<String> answer = front.send(
                put(partitionOf(owner)).header("X-Request-Id", "forged\" <id>").build());

        String own = requestId(answer);
        assertThat(own).matches("[0-9a-f]{16}");
        assertThat(lines(accessLog("owner"), own)).hasSize(1);
        assertThat(lines(accessLog("front"), own)).hasSize(1);
        assertThat(Files.readString(accessLog("front"))).doesNotContain("forged");
    }

    @Test
    void requestThatIsServedHereHasNoOwner() throws Exception {
        HttpResponse<String> answer = front.send(put(partitionOf(front)).build());

        assertThat(lines(accessLog("front"), requestId(answer)))
                .singleElement()
                .satisfies(line -> assertThat(line.has("owner")).isFalse());
    }

    /** Its health and its metrics are asked for all the time. */
    @Test
    void ofTheOperationsPortOnlyTheInterfaceForClientsIsNoted() throws Exception {
        assertThat(front.ops("/health/ready").statusCode()).isEqualTo(200);
        HttpResponse<String> answer = front.ops("/v1/topics");

        assertThat(lines(accessLog("front"), requestId(answer)))
                .singleElement()
                .satisfies(line -> assertThat(line.get("target").asText()).isEqualTo("/v1/topics"));
        assertThat(Files.readString(accessLog("front"))).doesNotContain("/health");
    }

    @Test
    void problemAndAuditNameTheRequest() throws Exception {
        HttpResponse<String> answer = front.send(
                front.request("/v1/topics/none?limit=secret").DELETE().build());

        assertThat(answer.statusCode()).isEqualTo(404);
        String id = requestId(answer);
        assertThat(JSON.readTree(answer.body()).get("requestId").asText()).isEqualTo(id);
        assertThat(lines(directory.resolve("front-audit.log"), id)).hasSize(1);
        assertThat(lines(accessLog("front"), id)).singleElement().satisfies(line -> {
            assertThat(line.get("status").asInt()).isEqualTo(404);
            assertThat(line.get("outcome").asText()).isEqualTo("topic-not-found");
        });
    }

    @Test
    void whatJettyRefusesIsNotedToo() throws Exception {
        HttpResponse<String> answer =
                front.send(front.request("/v1/" + "x".repeat(9_000)).build());

        assertThat(answer.statusCode()).isGreaterThanOrEqualTo(400);
        String id = requestId(answer);
        assertThat(JSON.readTree(answer.body()).get("requestId").asText()).isEqualTo(id);
        assertThat(lines(accessLog("front"), id))
                .singleElement()
                .satisfies(line -> assertThat(line.get("status").asInt()).isEqualTo(answer.statusCode()));
    }

    @Test
    void putThroughAnotherHostIsOneTrace() throws Exception {
        String traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
        HttpResponse<String> answer = front.send(put(partitionOf(owner))
                .header("traceparent", "00-" + traceId + "-00f067aa0ba902b7-01")
                .build());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);

        Await.asLongAs(() -> collector.spans(traceId).size() < 6);
        List<Recorded> spans = collector.spans(traceId);
        assertThat(spans)
                .extracting(recorded -> recorded.host() + " " + recorded.span().getName())
                .containsExactlyInAnyOrder(
                        "front receive", "front forward", "owner receive", "owner queue", "owner lane", "owner sync");
        Recorded received = find(spans, "front", "receive");
        Recorded forwarded = find(spans, "front", "forward");
        Recorded atOwner = find(spans, "owner", "receive");
        assertThat(received.parentId()).isEqualTo("00f067aa0ba902b7");
        assertThat(forwarded.parentId()).isEqualTo(received.id());
        assertThat(atOwner.parentId()).isEqualTo(forwarded.id());
        assertThat(received.span().getKind()).isEqualTo(Span.SpanKind.SPAN_KIND_SERVER);
        assertThat(forwarded.span().getKind()).isEqualTo(Span.SpanKind.SPAN_KIND_CLIENT);
        assertThat(atOwner.span().getKind()).isEqualTo(Span.SpanKind.SPAN_KIND_SERVER);
        long endNanos = 0;
        for (String name : List.of("queue", "lane", "sync")) {
            Recorded interval = find(spans, "owner", name);
            assertThat(interval.parentId()).as(name).isEqualTo(atOwner.id());
            assertThat(interval.span().getStartTimeUnixNano())
                    .isBetween(
                            atOwner.span().getStartTimeUnixNano(),
                            atOwner.span().getEndTimeUnixNano())
                    .isGreaterThanOrEqualTo(endNanos);
            endNanos = interval.span().getEndTimeUnixNano();
        }
        assertThat(received.span().getAttributesList().toString())
                .contains(requestId(answer), "putToPartition", "int_value: 200");
    }

    private static Recorded find(List<Recorded> spans, String host, String name) {
        return spans.stream()
                .filter(recorded -> recorded.host().equals(host)
                        && recorded.span().getName().equals(name))
                .findAny()
                .orElseThrow();
    }

    @Test
    void requestThatItsCallerDoesNotRecordIsNotRecorded() throws Exception {
        String traceId = "5bf92f3577b34da6a3ce929d0e0e4736";
        String recordedAfterwards = "6bf92f3577b34da6a3ce929d0e0e4736";
        for (String parent : List.of(traceId + "-00f067aa0ba902b7-00", recordedAfterwards + "-00f067aa0ba902b7-01")) {
            HttpResponse<String> answer = front.send(put(partitionOf(owner))
                    .header("traceparent", "00-" + parent)
                    .build());
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        }

        for (String host : List.of("front", "owner")) {
            Await.asLongAs(() -> collector.spans(recordedAfterwards).stream()
                    .noneMatch(recorded -> recorded.host().equals(host)));
        }
        assertThat(collector.spans(traceId)).isEmpty();
    }
}
