package io.talosgateway.rest.http;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

import io.talosgateway.rest.Await;
import io.talosgateway.rest.auth.AccessKey;
import io.talosgateway.rest.bootstrap.TestGateway;
import io.talosgateway.thrift.CreateTopicRequest;
import io.talosgateway.thrift.TopicAttribute;
import io.talosgateway.thrift.call.ThriftMethod;
import io.talosgateway.thrift.call.TopicMethods;
import io.talosgateway.wire.auth.GalaxySignature;
import io.talosgateway.wire.auth.RequestSigner;
import io.talosgateway.wire.auth.SignableRequest;
import io.talosgateway.wire.message.ByteSlice;
import io.talosgateway.wire.thrift.ThriftFormat;
import org.apache.thrift.transport.TMemoryBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** Signed requests that somebody has seen and sends again. */
final class ReplayIT {

    private static final String TOPIC_SERVICE = "/v1/api/topic";
    private static final String MESSAGES = "/v1/topics/t/partitions/0/messages";
    private static final String OCTETS = "application/octet-stream";

    @TempDir
    Path directory;

    private TestGateway gateway;

    private void start(String... settings) throws Exception {
        Map<String, String> all = new LinkedHashMap<>();
        for (int index = 0; index < settings.length; index += 2) {
            all.put(settings[index], settings[index + 1]);
        }
        gateway = TestGateway.start(directory, all);
        assertThat(gateway.send(gateway.request("/v1/topics")
                                .POST(BodyPublishers.ofString("{\"name\":\"t\",\"partitions\":1}"))
                                .build())
                        .statusCode())
                .isEqualTo(201);
    }

    @AfterEach
    void stop() {
        gateway.close();
    }

    /** A request that is signed once and may be sent often. */
    @SuppressWarnings("ArrayRecordComponent") // Bytes that are passed on; requests are not compared.
    private record Captured(String method, String path, byte[] body, Map<String, String> headers) {

        Captured withPath(String other) {
            return new Captured(method, other, body, headers);
        }
    }

    private Captured signed(String method, String path, String type, byte[] body, String... signedHeaders) {
        AccessKey key = gateway.key();
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("Content-Type", type);
        headers.put(
                GalaxySignature.TIMESTAMP_HEADER, Long.toString(Instant.now().getEpochSecond()));
        headers.put(GalaxySignature.DIGEST_HEADER, GalaxySignature.md5(new ByteSlice(body)));
        for (int index = 0; index < signedHeaders.length; index += 2) {
            headers.put(signedHeaders[index], signedHeaders[index + 1]);
        }
        int query = path.indexOf('?');
        SignableRequest signable =
                new SignableRequest(method, query < 0 ? path : path.substring(0, query), null, new ByteSlice(body));
        headers.forEach(signable::with);
        headers.put("Authorization", "Galaxy-V3 " + key.id() + ":" + GalaxySignature.sign(key.secret(), signable));
        return new Captured(method, path, body, headers);
    }

    private Captured put(String text, String... signedHeaders) {
        return signed("POST", MESSAGES, OCTETS, text.getBytes(StandardCharsets.UTF_8), signedHeaders);
    }

    private HttpResponse<byte[]> send(Captured request, String... more) throws IOException, InterruptedException {
        HttpRequest.Builder builder = HttpRequest.newBuilder(URI.create(gateway.endpoint() + request.path))
                .method(request.method, BodyPublishers.ofByteArray(request.body));
        request.headers.forEach(builder::header);
        for (int index = 0; index < more.length; index += 2) {
            builder.header(more[index], more[index + 1]);
        }
        return gateway.client().send(builder.build(), BodyHandlers.ofByteArray());
    }

    private static void assertRefused(HttpResponse<byte[]> answer, int status, String code) {
        String body = new String(answer.body(), StandardCharsets.UTF_8);
        assertThat(answer.statusCode()).as(body).isEqualTo(status);
        assertThat(body).contains("\"code\":\"" + code + "\"");
    }

    private long messages() throws Exception {
        String partition = gateway.send(
                        gateway.request("/v1/topics/t/partitions/0").build())
                .body();
        return Long.parseLong(partition.replaceAll("(?s).*\"logEndOffset\":(\\d+).*", "$1"));
    }

    @Test
    void capturedPutIsStoredOnce() throws Exception {
        start();
        Captured put = put("paid");
        assertThat(send(put).statusCode()).isEqualTo(200);
        assertRefused(send(put), 409, "replayed");
        // What the signature does not cover makes it no other request.
        assertRefused(send(put, "Idempotency-Key", "another"), 409, "replayed");
        assertThat(messages()).isEqualTo(1);
        assertThat(send(put("paid", GalaxySignature.NONCE_HEADER, "another")).statusCode())
                .isEqualTo(200);
        assertThat(messages()).isEqualTo(2);
        assertThat(gateway.metric("talos_signatures_remembered")).isEqualTo(2);
    }

    @Test
    void capturedDeleteDoesNotDeleteTheTopicThatFollows() throws Exception {
        start();
        Captured delete = signed("DELETE", "/v1/topics/t", "", new byte[0]);
        assertThat(send(delete).statusCode()).isEqualTo(200);
        gateway.send(gateway.request("/v1/topics")
                .POST(BodyPublishers.ofString("{\"name\":\"t\",\"partitions\":1}"))
                .build());
        assertRefused(send(delete), 409, "replayed");
        assertThat(gateway.send(gateway.request("/v1/topics/t").build()).statusCode())
                .isEqualTo(200);
    }

    private void createLater() throws Exception {
        gateway.send(gateway.request("/v1/topics")
                .POST(BodyPublishers.ofString("{\"name\":\"later\",\"partitions\":1}"))
                .build());
    }

    @Test
    void changeThatWasRefusedMayBeSentAgain() throws Exception {
        start();
        Captured delete = signed("DELETE", "/v1/topics/later", "", new byte[0]);
        assertRefused(send(delete), 404, "topic-not-found");
        createLater();
        assertThat(send(delete).statusCode()).isEqualTo(200);
        createLater();
        assertRefused(send(delete), 409, "replayed");
    }

    @Test
    void readsMayBeRepeated() throws Exception {
        start();
        Captured get = signed("GET", "/v1/topics/t", "", new byte[0]);
        assertThat(send(get).statusCode()).isEqualTo(200);
        assertThat(send(get).statusCode()).isEqualTo(200);
    }

    @Test
    void capturedPutIsRefusedAfterARestart() throws Exception {
        start();
        Captured put = put("paid");
        long second = Instant.now().getEpochSecond();
        assertThat(send(put).statusCode()).isEqualTo(200);
        Await.asLongAs(() -> Instant.now().getEpochSecond() == second);
        gateway.restart();
        assertRefused(send(put), 412, "clock-skewed");
        assertThat(messages()).isEqualTo(1);
        assertThat(send(put("paid")).statusCode()).isEqualTo(200);
    }

    @Test
    void queryOfASignedChangeIsSigned() throws Exception {
        start();
        String digest = GalaxySignature.queryDigest("key=good");
        byte[] body = "x".getBytes(StandardCharsets.UTF_8);
        assertRefused(send(signed("POST", MESSAGES + "?key=good", OCTETS, body)), 401, "unauthenticated");
        Captured put =
                signed("POST", MESSAGES + "?key=good", OCTETS, body, GalaxySignature.QUERY_DIGEST_HEADER, digest);
        assertRefused(send(put.withPath(MESSAGES + "?key=evil")), 401, "unauthenticated");
        assertRefused(send(put.withPath(MESSAGES)), 401, "unauthenticated");
        assertThat(send(put).statusCode()).isEqualTo(200);
    }

    private static <A> byte[] call(ThriftMethod<A, ?> method, A argument) throws Exception {
        TMemoryBuffer buffer = new TMemoryBuffer(256);
        method.writeCall(ThriftFormat.COMPACT.writing(buffer), 1, argument);
        return Arrays.copyOf(buffer.getArray(), buffer.length());
    }

    private static byte[] createTopic(String name) throws Exception {
        return call(
                TopicMethods.CREATE_TOPIC, new CreateTopicRequest(name, new TopicAttribute().setPartitionNumber(1)));
    }

    private HttpResponse<byte[]> sendThrift(byte[] body, Map<String, String> headers) throws Exception {
        return send(new Captured("POST", TOPIC_SERVICE + "?type=x", body, headers));
    }

    /** The error's text in a reply. */
    private static boolean says(HttpResponse<byte[]> answer, String text) {
        return new String(answer.body(), StandardCharsets.ISO_8859_1).contains(text);
    }

    @Test
    void thriftChangesWithANonceAreMadeOnce() throws Exception {
        start();
        RequestSigner signer =
                new RequestSigner(gateway.key().id(), gateway.key().secret(), InstantSource.system());
        String type = ThriftFormat.COMPACT.contentType();
        byte[] body = createTopic("by-thrift");
        Map<String, String> headers = new LinkedHashMap<>(
                signer.headers(TOPIC_SERVICE, "type=x", type, GalaxySignature.md5(new ByteSlice(body)), "nonce"));
        headers.put("Content-Type", type);
        assertThat(says(sendThrift(body, headers), "by-thrift#")).isTrue();
        assertThat(says(sendThrift(body, headers), "accepted before")).isTrue();
        // The query is covered, too.
        assertThat(send(new Captured("POST", TOPIC_SERVICE + "?type=y", body, headers))
                        .statusCode())
                .isEqualTo(401);
    }

    @Test
    void thriftChangesWithoutANonceAreMadeOnceIfConfigured() throws Exception {
        start("auth.refuse-replays", "true");
        Captured create = signed("POST", TOPIC_SERVICE, ThriftFormat.COMPACT.contentType(), createTopic("once"));
        assertThat(says(send(create), "once#")).isTrue();
        assertThat(says(send(create), "accepted before")).isTrue();
        Captured list = signed(
                "POST", TOPIC_SERVICE, ThriftFormat.COMPACT.contentType(), call(TopicMethods.LIST_TOPICS_INFO, null));
        assertThat(says(send(list), "once")).isTrue();
        assertThat(says(send(list), "once")).isTrue();
    }

    @Test
    void officialSdksMaySendTheSameRequestTwiceInASecond() throws Exception {
        start();
        Captured create = signed("POST", TOPIC_SERVICE, ThriftFormat.COMPACT.contentType(), createTopic("once"));
        assertThat(says(send(create), "once#")).isTrue();
        assertThat(says(send(create), "exists already")).isTrue();
    }
}
