package io.talosgateway.loadgen;

import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The bytes of puts and gets. */
final class RequestsTest {

    private static final LoadPlan PLAN = new LoadPlan(
            new Endpoint(URI.create("http://gateway:8080")),
            new Credentials("id", "secret"),
            "life",
            4,
            8,
            8,
            null,
            null,
            40,
            Duration.ZERO,
            Duration.ofSeconds(1),
            7,
            false);
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

    @Test
    void putIsOneRawMessageToTheProducersPartition() {
        PutRequest request = new PutRequest(PLAN, 6, new Payload(40, 7), null);

        byte[] put = bytes(request.number(3));

        assertThat(headers(new String(put, StandardCharsets.ISO_8859_1)))
                .isEqualTo("POST /v1/topics/life/partitions/2/messages HTTP/1.1\r\n" + COMMON
                        + "Content-Type: application/octet-stream\r\nContent-Length: 40\r\n\r\n");
        assertThat(body(put)).hasSize(40).startsWith(0, 0, 0, 0, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0, 3);
    }

    @Test
    void timeoutOfPutsIsSent() {
        LoadPlan plan = new LoadPlan(
                PLAN.endpoint(),
                null,
                "life",
                4,
                8,
                0,
                100,
                Duration.ofMillis(250),
                40,
                Duration.ZERO,
                Duration.ofSeconds(1),
                7,
                false);

        assertThat(text(new PutRequest(plan, 0, new Payload(40, 7), null).number(0)))
                .contains("\r\nTalos-Timeout-Ms: 250\r\n");
    }

    @Test
    void messagesDifferInTheirStampOnly() {
        PutRequest request = new PutRequest(PLAN, 1, new Payload(40, 7), null);

        byte[] first = body(bytes(request.number(0)));
        byte[] second = body(bytes(request.number(0x1ff)));

        assertThat(Arrays.copyOfRange(second, 0, 16)).endsWith(1, 0xff);
        assertThat(Arrays.copyOfRange(second, 16, 40)).isEqualTo(Arrays.copyOfRange(first, 16, 40));
        byte[] otherSeed = body(bytes(new PutRequest(PLAN, 1, new Payload(40, 8), null).number(0)));
        assertThat(otherSeed).isNotEqualTo(first);
    }

    @Test
    void smallMessageHasTheLastBytesOfTheStamp() {
        PutRequest request = new PutRequest(PLAN, 1, new Payload(2, 7), null);

        assertThat(body(bytes(request.number(0x10203)))).containsExactly(2, 3);
    }

    @Test
    void everyPutHasItsOwnIdempotencyKey() {
        PutRequest request = new PutRequest(PLAN, 1, new Payload(40, 7), "run-1-");

        assertThat(text(request.number(0))).contains("Idempotency-Key: \"run-1-0000000000000000\"\r\n\r\n");
        assertThat(text(request.number(0xabc1))).contains("Idempotency-Key: \"run-1-000000000000abc1\"\r\n\r\n");
    }

    @Test
    void getAsksForJsonFromAnOffsetOn() {
        GetRequest request = new GetRequest(PLAN, 5);

        assertThat(text(request.at(0)))
                .isEqualTo("GET /v1/topics/life/partitions/1/messages?offset=0&max-messages=100&wait=1s HTTP/1.1\r\n"
                        + COMMON + "Accept: application/json\r\n\r\n");
        assertThat(text(request.at(1_234_567))).contains("?offset=1234567&max");
        assertThat(text(request.atLatest())).contains("?offset=latest&max-messages=1 HTTP/1.1\r\n");
        assertThat(text(request.at(90))).contains("?offset=90&max");
    }
}
