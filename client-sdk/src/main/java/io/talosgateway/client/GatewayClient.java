package io.talosgateway.client;

import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

import com.fasterxml.jackson.core.type.TypeReference;
import org.jspecify.annotations.Nullable;

/**
 * A client of a Talos Gateway.
 *
 * <p>Every method sends a request and returns a future, which fails with a {@link GatewayClientException} only. Requests
 * that fail are sent again where that is safe, until they succeed, {@link RetryPolicy} ends it, or the time is over. A put
 * carries an idempotency key, so that the gateway stores it once however often it is sent.
 *
 * <p>For any thread; nothing blocks. One client is enough for a program.
 */
public final class GatewayClient {

    private static final String JSON = "application/json";
    private static final String RAW = "application/octet-stream";

    private final HttpCaller caller;
    private final Duration timeout;

    private record Topics(List<Topic> topics) {}

    private record Partitions(List<Partition> partitions) {}

    private record Parts(List<PutPart> results) {}

    private GatewayClient(Builder builder) {
        HttpClient client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(builder.connectTimeout)
                .build();
        this.caller = new HttpCaller(client, builder.endpoint, builder.authorization, builder.retries);
        this.timeout = builder.timeout;
    }

    /** @param endpoint such as {@code http://127.0.0.1:8080} */
    public static Builder builder(URI endpoint) {
        return new Builder(endpoint);
    }

    /** Makes a client. For one thread. */
    public static final class Builder {

        private final URI endpoint;
        private @Nullable String authorization;
        private RetryPolicy retries = RetryPolicy.DEFAULT;
        private Duration timeout = Duration.ofSeconds(30);
        private Duration connectTimeout = Duration.ofSeconds(5);

        private Builder(URI endpoint) {
            String scheme = endpoint.getScheme();
            if (endpoint.getHost() == null || !("http".equals(scheme) || "https".equals(scheme))) {
                throw new IllegalArgumentException(
                        "'%s' is not the address of a gateway, which looks like http://host:8080".formatted(endpoint));
            }
            this.endpoint = endpoint;
        }

        /** Credentials: a key's id and secret, sent as HTTP Basic. */
        public Builder key(String id, String secret) {
            byte[] pair = (id + ":" + secret).getBytes(StandardCharsets.UTF_8);
            authorization = "Basic " + Base64.getEncoder().encodeToString(pair);
            return this;
        }

        public Builder retries(RetryPolicy newRetries) {
            retries = newRetries;
            return this;
        }

        /** For a request with all its repeats; a get's waiting comes on top. Default 30 s. */
        public Builder timeout(Duration newTimeout) {
            timeout = newTimeout;
            return this;
        }

        public Builder connectTimeout(Duration newConnectTimeout) {
            connectTimeout = newConnectTimeout;
            return this;
        }

        public GatewayClient build() {
            return new GatewayClient(this);
        }
    }

    // --- topics ---

    /** Creates a topic; when the future completes, its partitions are served. */
    public CompletableFuture<Topic> createTopic(NewTopic topic) {
        HttpCall call = new HttpCall("POST", "/v1/topics", Map.of("Content-Type", JSON), Json.newTopic(topic), false);
        return send(call, new TypeReference<>() {});
    }

    /** The topics of this client's key, by name; all, if it is an admin key. */
    public CompletableFuture<List<Topic>> topics() {
        return send(HttpCall.read("/v1/topics"), new TypeReference<Topics>() {}).thenApply(Topics::topics);
    }

    public CompletableFuture<Topic> topic(String name) {
        return send(HttpCall.read(topicPath(name)), new TypeReference<>() {});
    }

    /** Deletes a topic with its messages; gives what was deleted. */
    public CompletableFuture<Topic> deleteTopic(String name) {
        return send(new HttpCall("DELETE", topicPath(name), Map.of(), null, false), new TypeReference<>() {});
    }

    /** The partitions of a topic, in order. */
    public CompletableFuture<List<Partition>> partitions(String topic) {
        return send(HttpCall.read(topicPath(topic) + "/partitions"), new TypeReference<Partitions>() {})
                .thenApply(Partitions::partitions);
    }

    // --- messages ---

    /** Puts messages to a partition, at consecutive offsets, all or none. */
    public CompletableFuture<Stored> put(String topic, int partition, List<NewMessage> messages) {
        return put(topic, partition, messages, newIdempotencyKey());
    }

    /**
     * Puts messages to a partition, at consecutive offsets, all or none.
     *
     * @param idempotencyKey 1 to 256 characters, the same for a put and its repeats and for no other put
     */
    public CompletableFuture<Stored> put(
            String topic, int partition, List<NewMessage> messages, String idempotencyKey) {
        return send(putCall(partitionPath(topic, partition), messages, idempotencyKey), new TypeReference<>() {});
    }

    /**
     * Puts messages to a topic: those with a key to the key's partition, the others together to one.
     *
     * @return what became of each partition's messages. Those that are not stored can be put again with
     *     {@link #put(String, List, String)}: what is stored is not stored twice.
     */
    public CompletableFuture<List<PutPart>> put(String topic, List<NewMessage> messages) {
        return put(topic, messages, newIdempotencyKey());
    }

    /**
     * Puts messages to a topic: those with a key to the key's partition, the others together to one.
     *
     * @param idempotencyKey 1 to 256 characters, the same for a put and its repeats and for no other put
     */
    public CompletableFuture<List<PutPart>> put(String topic, List<NewMessage> messages, String idempotencyKey) {
        return send(putCall(topicPath(topic), messages, idempotencyKey), new TypeReference<Parts>() {})
                .thenApply(Parts::results);
    }

    /** Gets messages of a partition; none if there are none within {@link GetOptions#maxWait()}. */
    public CompletableFuture<Messages> get(String topic, int partition, Position from, GetOptions options) {
        StringBuilder path = new StringBuilder(partitionPath(topic, partition))
                .append("/messages?")
                .append(from.query())
                .append("&max-messages=")
                .append(options.maxMessages())
                .append("&max-bytes=")
                .append(options.maxBytes());
        if (!options.maxWait().isZero()) {
            path.append("&wait=").append(options.maxWait().toMillis()).append("ms");
        }
        return send(HttpCall.read(path.toString()), timeout.plus(options.maxWait()), new TypeReference<>() {});
    }

    private static HttpCall putCall(String path, List<NewMessage> messages, String idempotencyKey) {
        // In quotes, as the header's specification asks for a string of RFC 8941.
        String key = '"' + idempotencyKey + '"';
        if (messages.size() != 1) {
            Map<String, String> headers = Map.of("Content-Type", JSON, "Idempotency-Key", key);
            return new HttpCall("POST", path + "/messages", headers, Json.newMessages(messages), true);
        }
        NewMessage message = messages.get(0);
        String query = message.key() == null ? "" : "?key=" + encoded(message.key());
        Map<String, String> headers = Map.of("Content-Type", RAW, "Idempotency-Key", key);
        return new HttpCall("POST", path + "/messages" + query, headers, message.payload(), true);
    }

    private static String newIdempotencyKey() {
        return UUID.randomUUID().toString();
    }

    private static String topicPath(String topic) {
        return "/v1/topics/" + encoded(topic);
    }

    private static String partitionPath(String topic, int partition) {
        return topicPath(topic) + "/partitions/" + partition;
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private <T> CompletableFuture<T> send(HttpCall call, TypeReference<T> type) {
        return send(call, timeout, type);
    }

    private <T> CompletableFuture<T> send(HttpCall call, Duration within, TypeReference<T> type) {
        return caller.send(call, within).thenApply(body -> Json.read(body, type));
    }
}
