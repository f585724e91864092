package io.talosgateway.loadgen.request;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.zip.GZIPInputStream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.talosgateway.loadgen.content.Bodies;
import io.talosgateway.loadgen.content.Content;
import io.talosgateway.loadgen.content.Format;
import io.talosgateway.loadgen.content.MessageCompression;
import io.talosgateway.loadgen.content.Sizes;
import io.talosgateway.loadgen.plan.LoadPlan;
import io.talosgateway.loadgen.plan.Plans;
import io.talosgateway.thrift.PutMessageRequest;
import io.talosgateway.thrift.call.ThriftEnvelope;
import io.talosgateway.wire.auth.GalaxySignature;
import io.talosgateway.wire.message.ByteSlice;
import io.talosgateway.wire.message.Message;
import io.talosgateway.wire.message.MessageBlock;
import io.talosgateway.wire.message.StoredBlock;
import io.talosgateway.wire.message.format.MessageDecoder;
import io.talosgateway.wire.thrift.ThriftFormat;
import org.apache.thrift.protocol.TProtocol;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/** The bytes of puts and gets. */
final class RequestsTest {

    private static final LoadPlan PLAN = Plans.of(Plans.raw(40));
    private static final String COMMON = "Host: gateway:8080\r\nAuthorization: Basic aWQ6c2VjcmV0\r\n";

    private static byte[] bytes(ByteBuffer[] request) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (ByteBuffer part : request) {
            byte[] copy = new byte[part.remaining()];
            part.get(copy);
            bytes.writeBytes(copy);
        }
        return bytes.toByteArray();
    }

    private static String text(ByteBuffer[] request) {
        return new String(bytes(request), StandardCharsets.ISO_8859_1);
    }

    private static String headers(String request) {
        return request.substring(0, request.indexOf("\r\n\r\n") + 4);
    }

    private static byte[] body(byte[] request) {
        int start = headers(new String(request, StandardCharsets.ISO_8859_1)).length();
        return Arrays.copyOfRange(request, start, request.length);
    }

    private static PutRequest put(Content content, int producer, String keyPrefix) {
        return new RestPutRequest(Plans.of(content), producer, Bodies.of(content, 1 << 20), keyPrefix);
    }

    private static PutRequest put(Content content, int producer) {
        return put(content, producer, null);
    }

    @Test
    void putIsOneRawMessageToTheProducersPartition() {
        byte[] put = bytes(put(Plans.raw(40), 6).number(3));

        assertThat(headers(new String(put, StandardCharsets.ISO_8859_1)))
                .isEqualTo("POST /v1/topics/life/partitions/2/messages HTTP/1.1\r\n" + COMMON
                        + "Content-Type: application/octet-stream\r\nContent-Length: 40\r\n\r\n");
        assertThat(body(put)).hasSize(40);
    }

    @Test
    void timeoutOfPutsIsSent() {
        Content content =
                new Content(Format.RAW, Sizes.fixed(40), 1, MessageCompression.NONE, Duration.ofMillis(250), 7, false);

        assertThat(text(put(content, 0).number(0))).contains("\r\nTalos-Timeout-Ms: 250\r\n");
    }

    @Test
    void rawMessagesAreRandomBytesOfTheSeed() {
        Content content = Plans.raw(40);

        byte[] first = body(bytes(put(content, 1).number(0)));

        assertThat(body(bytes(put(content, 1).number(0)))).isEqualTo(first);
        assertThat(body(bytes(put(content, 1).number(1)))).isNotEqualTo(first);
        assertThat(new String(first, StandardCharsets.ISO_8859_1)).doesNotMatch("[a-z ]+");
    }

    @Test
    void everyPutHasItsOwnIdempotencyKey() {
        PutRequest request = put(Plans.raw(40), 1, "run-1-");

        assertThat(text(request.number(0))).contains("Idempotency-Key: \"run-1-0000000000000000\"\r\n\r\n");
        assertThat(text(request.number(0xabc1))).contains("Idempotency-Key: \"run-1-000000000000abc1\"\r\n\r\n");
    }

    @Test
    void rawMessagesOfManySizesSayTheirLength() {
        PutRequest request = put(Plans.content(Format.RAW, "5B:1,300B:1", 1, MessageCompression.NONE), 0);

        for (int number = 0; number < 50; number++) {
            byte[] put = bytes(request.number(number));
            String headers = headers(new String(put, StandardCharsets.ISO_8859_1));
            assertThat(headers).contains("Content-Length: " + body(put).length + "\r\n");
            assertThat(request.body().payload()).isEqualTo(body(put).length);
        }
    }

    @Test
    void jsonHoldsTheMessagesOfABatch() throws Exception {
        PutRequest request = put(Plans.content(Format.JSON, "10B:1,20B:1", 3, MessageCompression.NONE), 0);

        byte[] put = bytes(request.number(0));

        JsonNode messages = new ObjectMapper().readTree(body(put)).path("messages");
        assertThat(messages).hasSize(3);
        int payload = 0;
        for (JsonNode message : messages) {
            payload += message.path("value").asText().length();
        }
        assertThat(request.body().payload()).isEqualTo(payload).isBetween(30, 60);
        assertThat(request.body().messages()).isEqualTo(3);
        assertThat(headers(new String(put, StandardCharsets.ISO_8859_1)))
                .contains("Content-Type: application/json\r\n")
                .doesNotContain("Content-Encoding");
    }

    @Test
    void linesOfJsonAreCompressedAsAWhole() throws Exception {
        PutRequest request = put(Plans.content(Format.NDJSON, "200B", 5, MessageCompression.GZIP), 0);

        byte[] put = bytes(request.number(1));

        assertThat(headers(new String(put, StandardCharsets.ISO_8859_1)))
                .contains("Content-Type: application/x-ndjson\r\nContent-Encoding: gzip\r\n");
        assertThat(body(put).length).isLessThan(800);
        try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(body(put)))) {
            assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8).lines())
                    .hasSize(5)
                    .allSatisfy(line -> assertThat(new ObjectMapper()
                                    .readTree(line)
                                    .path("value")
                                    .asText())
                            .hasSize(200));
        }
    }

    @ParameterizedTest
    @EnumSource(MessageCompression.class)
    void thriftCallIsWhatTheSdksSend(MessageCompression compression) throws Exception {
        Content content = Plans.content(Format.THRIFT, "3000B", 2, compression);
        InstantSource clock = InstantSource.fixed(Instant.ofEpochSecond(1_600_000_000));
        PutRequest request = (PutRequest) new Requests(Plans.of(content), clock, Map.of("life", "1#life")).put(6);

        byte[] put = bytes(request.number(5));

        ByteSlice body = new ByteSlice(body(put));
        String headers = headers(new String(put, StandardCharsets.ISO_8859_1));
        assertThat(headers)
                .startsWith("POST /v1/api/message?type=putMessage HTTP/1.1\r\n")
                .contains("Content-Length: " + body.length() + "\r\n")
                .contains("Content-Type: application/x-thrift-compact\r\n")
                .contains("X-Xiaomi-Content-MD5: " + GalaxySignature.md5(body) + "\r\n")
                .contains("Authorization: Galaxy-V3 id:");
        PutMessageRequest read = ThriftEnvelope.readArguments(afterCallHeader(body), in -> {
            PutMessageRequest call = new PutMessageRequest();
            call.read(in);
            return call;
        });
        assertThat(read.getTopicAndPartition().getTopicTalosResourceName().getTopicTalosResourceName())
                .isEqualTo("1#life");
        assertThat(read.getTopicAndPartition().getPartitionId()).isEqualTo(2);
        assertThat(read.getMessageNumber()).isEqualTo(2);
        io.talosgateway.thrift.MessageBlock block = read.getMessageBlocks().get(0);
        List<Message> messages = MessageDecoder.decode(
                new StoredBlock(
                        0,
                        0,
                        new MessageBlock(
                                2,
                                block.getCompressionType().getValue(),
                                ByteSlice.of(block.bufferForMessageBlock()),
                                0,
                                ByteSlice.EMPTY)),
                1 << 20);
        assertThat(block.getCompressionType().name()).isEqualTo(compression.name());
        assertThat(messages).hasSize(2).allSatisfy(message -> {
            assertThat(message.payload().length()).isEqualTo(3000);
        });
        assertThat(request.body().payload()).isEqualTo(6000);
    }

    private static TProtocol afterCallHeader(ByteSlice body) throws Exception {
        TProtocol in = ThriftFormat.COMPACT.reading(body);
        assertThat(in.readMessageBegin().name).isEqualTo("putMessage");
        return in;
    }

    @Test
    void signatureIsMadeAgainWhenItIsOld() throws Exception {
        AtomicReference<Instant> now = new AtomicReference<>(Instant.ofEpochSecond(1_600_000_000));
        PutRequest request = (PutRequest) new Requests(
                        Plans.of(Plans.content(Format.THRIFT, "10B", 1, MessageCompression.NONE)), now::get, Map.of())
                .put(0);

        assertThat(text(request.number(0))).contains("X-Xiaomi-Timestamp: 1600000000\r\n");
        now.set(Instant.ofEpochSecond(1_600_000_059));
        assertThat(text(request.number(0))).contains("X-Xiaomi-Timestamp: 1600000000\r\n");
        now.set(Instant.ofEpochSecond(1_600_000_060));
        assertThat(text(request.number(0))).contains("X-Xiaomi-Timestamp: 1600000060\r\n");
    }

    @Test
    void getAsksForJsonFromAnOffsetOn() {
        RestGetRequest request = new RestGetRequest(PLAN, 5);

        assertThat(text(request.at(0)))
                .isEqualTo(
                        "GET /v1/topics/life/partitions/1/messages?offset=0&max-messages=100&wait=1000ms HTTP/1.1\r\n"
                                + COMMON + "Accept: application/json\r\n\r\n");
        assertThat(text(request.at(1_234_567))).contains("?offset=1234567&max");
        assertThat(text(request.atLatest())).contains("?offset=latest&max-messages=1 HTTP/1.1\r\n");
        assertThat(text(request.at(90))).contains("?offset=90&max");
    }

    @Test
    void getOfManyMessagesCanKeepUpWithBatches() {
        Content content = Plans.content(Format.NDJSON, "9B", 50, MessageCompression.NONE);

        assertThat(text(new RestGetRequest(Plans.of(content), 5).at(3)))
                .contains("?offset=3&max-messages=500&wait=", "Accept: application/x-ndjson\r\n");
    }
}
