package io.talosgateway.rest.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.zip.GZIPOutputStream;

import io.talosgateway.rest.Await;
import io.talosgateway.rest.bootstrap.TestGateway;
import io.talosgateway.thrift.CreateTopicRequest;
import io.talosgateway.thrift.GetCheckpointRequest;
import io.talosgateway.thrift.GetPartitionsOffsetRequest;
import io.talosgateway.thrift.MessageBlock;
import io.talosgateway.thrift.MessageCompressionType;
import io.talosgateway.thrift.PutMessageRequest;
import io.talosgateway.thrift.PutMessageResponse;
import io.talosgateway.thrift.TopicAndPartition;
import io.talosgateway.thrift.TopicAttribute;
import io.talosgateway.thrift.TopicInfo;
import io.talosgateway.thrift.TopicTalosResourceName;
import io.talosgateway.thrift.call.MessageMethods;
import io.talosgateway.thrift.call.ThriftMethod;
import io.talosgateway.thrift.call.ThriftService;
import io.talosgateway.thrift.call.TopicMethods;
import io.talosgateway.wire.message.ByteSlice;
import io.talosgateway.wire.thrift.ThriftFormat;
import org.apache.thrift.transport.TMemoryBuffer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** Small requests that would become large ones, and large ones that would become larger. */
final class SizesIT {

    private static final int MAX_ELEMENTS = 10_000;
    private static final int AT_ONCE = 10;

    @TempDir
    static Path directory;

    private static TestGateway gateway;
    private static TopicInfo topic;

    @BeforeAll
    static void start() throws Exception {
        gateway = TestGateway.start(directory, Map.of());
        topic = TopicMethods.CREATE_TOPIC
                .readReply(ThriftFormat.COMPACT.reading(new ByteSlice(post(
                                ThriftService.TOPIC,
                                encode(
                                        TopicMethods.CREATE_TOPIC,
                                        new CreateTopicRequest("t", new TopicAttribute().setPartitionNumber(4))))
                        .body())))
                .getTopicInfo();
    }

    @AfterAll
    static void stop() {
        gateway.close();
    }

    @AfterEach
    void nothingIsLeftBehind() throws Exception {
        Await.asLongAs(() -> gateway.metric("talos_requests_in_flight") + gateway.metric("talos_bytes_in_flight") > 0);
    }

    private static <A> byte[] encode(ThriftMethod<A, ?> method, A argument) throws Exception {
        TMemoryBuffer buffer = new TMemoryBuffer(256);
        method.writeCall(ThriftFormat.COMPACT.writing(buffer), 1, argument);
        return Arrays.copyOf(buffer.getArray(), buffer.length());
    }

    private static HttpResponse<byte[]> post(ThriftService service, byte[] body) throws Exception {
        return send(gateway.request(service.path())
                .header("Content-Type", ThriftFormat.COMPACT.contentType())
                .POST(BodyPublishers.ofByteArray(body)));
    }

    private static HttpResponse<byte[]> send(HttpRequest.Builder request) throws Exception {
        return gateway.client().send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
    }

    private static String text(HttpResponse<byte[]> answer) {
        return new String(answer.body(), 0, Math.min(1000, answer.body().length), StandardCharsets.UTF_8);
    }

    private static void assertTooLarge(HttpResponse<byte[]> answer) {
        assertThat(answer.statusCode()).as(text(answer)).isEqualTo(413);
        assertThat(answer.headers().firstValue("Talos-Error")).contains("request-too-large");
    }

    // --- calls of the Talos interface ---

    private static TopicAndPartition partition(int partition) {
        return new TopicAndPartition(topic.getTopicName(), topic.getTopicTalosResourceName(), partition);
    }

    @Test
    void offsetsOfMillionsOfPartitionsAreNotAsked() throws Exception {
        TopicAndPartition small = new TopicAndPartition("", new TopicTalosResourceName(""), 0);
        List<TopicAndPartition> asked = new ArrayList<>();
        for (int index = 0; index <= 1_500_000; index++) {
            asked.add(small);
        }
        byte[] call = encode(MessageMethods.GET_PARTITIONS_OFFSET, new GetPartitionsOffsetRequest(asked));
        for (int time = 0; time < AT_ONCE; time++) {
            assertTooLarge(post(ThriftService.MESSAGE, call));
        }

        HttpResponse<byte[]> most = post(
                ThriftService.MESSAGE,
                encode(
                        MessageMethods.GET_PARTITIONS_OFFSET,
                        new GetPartitionsOffsetRequest(asked.subList(0, MAX_ELEMENTS))));
        assertThat(most.statusCode()).isEqualTo(200);
        assertThat(most.body().length).isLessThan(10 << 20);
    }

    @Test
    void answerDoesNotGrowWithNamesThatItQuotes() throws Exception {
        TopicAndPartition large =
                new TopicAndPartition("x".repeat(2_000_000), new TopicTalosResourceName("x".repeat(2_000_000)), 0);
        HttpResponse<byte[]> answer = post(
                ThriftService.MESSAGE,
                encode(MessageMethods.GET_PARTITIONS_OFFSET, new GetPartitionsOffsetRequest(List.of(large, large))));

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body().length).isLessThan(4_000);
    }

    @Test
    void checkpointsOfMillionsOfPartitionsAreNotAsked() throws Exception {
        Map<Integer, Long> asked = new HashMap<>();
        for (int index = 0; index <= MAX_ELEMENTS; index++) {
            asked.put(index, 0L);
        }
        assertTooLarge(post(
                ThriftService.MESSAGE,
                encode(
                        MessageMethods.GET_TOPIC_CHECKPOINT,
                        new GetCheckpointRequest(topic.getTopicTalosResourceName(), asked))));
    }

    @Test
    void namesThatGoBackWithTheReplyAreShort() throws Exception {
        byte[] longMethod = ("\u0082!\u0001" + "\u0080\u0089z" + "x".repeat(2_000_000) + "\u0000")
                .getBytes(StandardCharsets.ISO_8859_1);
        HttpResponse<byte[]> answer = post(ThriftService.MESSAGE, longMethod);
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body().length).isLessThan(1000);

        answer = post(ThriftService.MESSAGE, put("x".repeat(2000), MessageCompressionType.NONE, new byte[1], 1));
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(text(answer)).contains("sequenceId has 2000 characters");
    }

    private static byte[] put(String sequenceId, MessageCompressionType compression, byte[] data, int messages)
            throws Exception {
        MessageBlock block = new MessageBlock(0, messages, compression, ByteBuffer.wrap(data));
        return encode(
                MessageMethods.PUT_MESSAGE, new PutMessageRequest(partition(0), List.of(block), messages, sequenceId));
    }

    // --- blocks that hold more than they seem to ---

    /** Some bytes that repeat, so many times, compressed with gzip. */
    private static byte[] gzip(byte[] start, String repeated, int times, String end) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(bytes)) {
            out.write(start);
            byte[] part = repeated.repeat(1024).getBytes(StandardCharsets.ISO_8859_1);
            for (int index = 0; index < times / 1024; index++) {
                out.write(part);
            }
            out.write(end.getBytes(StandardCharsets.ISO_8859_1));
        }
        return bytes.toByteArray();
    }

    private static long putBlock(MessageCompressionType compression, byte[] block, int messages) throws Exception {
        HttpResponse<byte[]> answer = post(ThriftService.MESSAGE, put("s", compression, block, messages));
        PutMessageResponse reply =
                MessageMethods.PUT_MESSAGE.readReply(ThriftFormat.COMPACT.reading(new ByteSlice(answer.body())));
        assertThat(reply.getSequenceId()).isEqualTo("s");
        String end = text(send(gateway.request("/v1/topics/t/partitions/0")));
        return Long.parseLong(end.replaceAll(".*\"logEndOffset\":(\\d+).*", "$1")) - messages;
    }

    private static HttpRequest.Builder get(long offset, String accept) {
        return gateway.request("/v1/topics/t/partitions/0/messages?offset=" + offset)
                .header("Accept", accept);
    }

    @Test
    void messagesKeepTheirBytesWhenTheArraysOfTheirBodiesAreUsedAgain() throws Exception {
        List<Long> offsets = new ArrayList<>();
        for (int put = 0; put < 20; put++) {
            byte[] payload = payload(put);
            if (put % 2 == 0) {
                HttpResponse<byte[]> answer = send(gateway.request("/v1/topics/t/partitions/0/messages")
                        .header("Content-Type", "application/octet-stream")
                        .POST(BodyPublishers.ofByteArray(payload)));
                offsets.add(Long.parseLong(text(answer).replaceAll(".*\"firstOffset\":(\\d+).*", "$1")));
            } else {
                ByteBuffer block = ByteBuffer.allocate(8 + payload.length);
                block.putInt(0).putInt(payload.length).put(payload);
                offsets.add(putBlock(MessageCompressionType.NONE, block.array(), 1));
            }
        }
        for (int put = 0; put < 20; put++) {
            assertThat(send(get(offsets.get(put), "application/octet-stream")).body())
                    .isEqualTo(payload(put));
        }
    }

    private static byte[] payload(int put) {
        byte[] payload = new byte[10_000];
        Arrays.fill(payload, (byte) ('a' + put));
        return payload;
    }

    @Test
    void messageThatIsTooLargeAsJsonIsNotShownAsJson() throws Exception {
        int length = 60 << 20;
        byte[] head = ByteBuffer.allocate(8).putInt(0).putInt(length).array();
        byte[] block = gzip(head, "\0", length, "");
        assertThat(block.length).isLessThan(70_000);
        long offset = putBlock(MessageCompressionType.GZIP, block, 1);

        List<String> forms = List.of("application/json", "application/x-ndjson");
        List<CompletableFuture<HttpResponse<byte[]>>> gets = new ArrayList<>();
        for (int index = 0; index < AT_ONCE; index++) {
            String form = forms.get(index % forms.size());
            gets.add(gateway.client().sendAsync(get(offset, form).build(), HttpResponse.BodyHandlers.ofByteArray()));
        }
        for (CompletableFuture<HttpResponse<byte[]>> get : gets) {
            // Those that find no room are to try again.
            assertThat(get.get().statusCode()).isIn(406, 429, 503);
        }
        nothingIsLeftBehind();
        for (String form : forms) {
            HttpResponse<byte[]> alone = send(get(offset, form));
            assertThat(alone.statusCode()).isEqualTo(406);
            assertThat(text(alone)).contains("\"code\":\"not-acceptable\"").contains("too large to be shown as JSON");
        }
        assertThat(send(get(offset, "application/octet-stream")).body()).hasSize(length);
    }

    @Test
    void answerEndsBeforeTheMessageThatWouldMakeItTooLarge() throws Exception {
        int length = 6 << 20;
        byte[] head = ByteBuffer.allocate(8).putInt(0).putInt(length).array();
        byte[] block = gzip(head, "\"", length, "");
        long offset = putBlock(MessageCompressionType.GZIP, block, 1);
        for (int index = 0; index < 5; index++) {
            putBlock(MessageCompressionType.GZIP, block, 1);
        }

        HttpResponse<byte[]> first = send(get(offset, "application/json"));

        // Each takes twice its length, for the escapes.
        assertThat(first.statusCode()).as(first.headers().toString()).isEqualTo(200);
        assertThat(first.body().length).isBetween(5 * 2 * length, 64 << 20);
        assertThat(first.headers().firstValue("Talos-Next-Offset")).contains(Long.toString(offset + 5));
    }

    @Test
    void kafkaBatchThatWouldNeverEndIsNotShown() throws Exception {
        byte[] block = new byte[80];
        block[0] = 'K';
        ByteBuffer.wrap(block).putInt(65, Integer.MAX_VALUE).put(69, (byte) 0x01);
        long offset = putBlock(MessageCompressionType.NONE, block, 100_000);

        HttpResponse<byte[]> answer = send(get(offset, "application/json"));

        assertThat(answer.statusCode()).isEqualTo(406);
    }

    // --- bodies of the JSON interface ---

    private static HttpResponse<byte[]> putGzip(String type, byte[] body) throws Exception {
        return send(gateway.request("/v1/topics/t/partitions/1/messages")
                .timeout(Duration.ofMinutes(5))
                .header("Content-Type", type)
                .header("Content-Encoding", "gzip")
                .POST(BodyPublishers.ofByteArray(body)));
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    @Test
    void bodyThatIsMadeOfMillionsOfPartsIsRefused() throws Exception {
        int most = 20 << 20;
        byte[] messages = gzip(ascii("{\"messages\":["), "{},", most / 3, "{}]}");
        byte[] arrays = gzip(ascii("{\"messages\":[{\"value\":["), "[],", most / 3, "[]]}]}");
        byte[] objects = gzip(ascii("{\"messages\":[{\"value\":["), "{},", most / 3, "{}]}]}");
        byte[] nulls = gzip(ascii("{\"messages\":["), "null,", most / 5, "null]}");
        byte[] deep = gzip(ascii("{\"messages\":[{\"value\":"), "[", most, "");
        byte[] lines = gzip(new byte[0], "{}\n", most / 3, "");
        // Once each: answers that refuse large requests wait for up to 5 s.
        assertThat(putGzip("application/json", messages).statusCode()).isEqualTo(400);
        assertThat(putGzip("application/json", arrays).statusCode()).isEqualTo(413);
        assertThat(putGzip("application/json", objects).statusCode()).isEqualTo(413);
        assertThat(putGzip("application/json", nulls).statusCode()).isEqualTo(400);
        assertThat(putGzip("application/json", deep).statusCode()).isEqualTo(413);
        assertThat(putGzip("application/x-ndjson", lines).statusCode()).isEqualTo(400);
        byte[] good = gzip(ascii("{\"messages\":["), "{\"value\":1},", 99 * 1024, "{\"value\":[1.10,{\"a\":null}]}]}");
        HttpResponse<byte[]> tooMany = putGzip("application/json", good);
        assertThat(tooMany.statusCode()).isEqualTo(413);
        assertThat(text(tooMany)).contains("A put may hold 100000 messages.");
    }

    @Test
    void valueOfAnyKindIsKeptAsItWasSent() throws Exception {
        String value = "{\"a\":[1.10,1e400,-0,12345678901234567890123,true,null,\"\\u00e4\"],\"b\":{}}";
        send(gateway.request("/v1/topics/t/partitions/2/messages")
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString("{\"messages\":[{\"value\":" + value + "}]}")));

        HttpResponse<byte[]> got = send(gateway.request("/v1/topics/t/partitions/2/messages?offset=earliest")
                .header("Accept", "application/octet-stream"));
        assertThat(new String(got.body(), StandardCharsets.UTF_8)).isEqualTo(value.replace("\\u00e4", "ä"));
    }

    @Test
    void topicIsDescribedInAFewWords() throws Exception {
        StringBuilder attributes = new StringBuilder("{\"name\":\"many\",\"attributes\":{\"first\":\"\"");
        for (int index = 0; index < 200_000; index++) {
            attributes.append(",\"a").append(index).append("\":\"\"");
        }
        HttpResponse<byte[]> answer = send(HttpRequest.newBuilder(URI.create(gateway.endpoint() + "/v1/topics"))
                .header("Authorization", TestGateway.basic(gateway.key()))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(attributes + "}}")));

        assertThat(answer.statusCode()).isEqualTo(413);
        assertThat(text(answer)).contains("request-too-large");
    }
}
