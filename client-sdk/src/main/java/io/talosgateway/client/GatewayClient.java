package io.talosgateway.client;

import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;

import com.fasterxml.jackson.core.type.TypeReference;
import io.talosgateway.wire.auth.RequestSigner;
import org.jspecify.annotations.Nullable;

/**
 * A client of a Talos Gateway's JSON interface.
 *
 * <p>Every method sends a request and returns a future, which fails with a {@link GatewayClientException} only. Requests
 * that fail are sent again where that is safe, until they succeed, {@link RetryPolicy} ends it, or the time is over. A put
 * carries an idempotency key, so that the gateway stores it once however often it is sent.
 *
 * <p>For any thread; nothing blocks. One client is enough for a program.
 */
public final class GatewayClient implements TalosClient {

    private static final String JSON = "application/json";

    private final HttpCaller caller;
    private final @Nullable String authorization;
    private final Duration timeout;

    private record Topics(List<Topic> topics, @Nullable String next) {}

    private record FencingToken(String token, @Nullable String replaces) {}

    private record Partitions(
            List<Partition> partitions, @Nullable Integer next) {}

    private record Groups(List<String> groups, @Nullable String next) {}

    private record Quotas(List<Quota> quotas, @Nullable String next) {}

    private GatewayClient(Builder builder) {
        this.caller = builder.caller();
        this.authorization = builder.key == null ? null : builder.key.basic();
        this.timeout = builder.timeout;
    }

    /** @param endpoint such as {@code http://127.0.0.1:8080} */
    public static Builder builder(URI endpoint) {
        return new Builder(endpoint);
    }

    /** Makes clients, of either interface. For one thread. */
    public static final class Builder {

        private final URI endpoint;
        private @Nullable Key key;
        private @Nullable SSLContext sslContext;
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

        /** Credentials: a key's id and secret. The JSON interface gets both, the Thrift interface a signature. */
        public Builder key(String id, String secret) {
            key = new Key(id, secret);
            return this;
        }

        /** Which certificates to trust, if the endpoint is {@code https}; those that Java trusts otherwise. */
        public Builder sslContext(SSLContext newSslContext) {
            sslContext = newSslContext;
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

        /** A client of the JSON interface. */
        public GatewayClient build() {
            return new GatewayClient(this);
        }

        /** A client of the Thrift interface, with the compact protocol and Snappy. */
        public ThriftClient buildThrift() {
            return buildThrift(ThriftProtocol.COMPACT, BlockCompression.SNAPPY);
        }

        /**
         * A client of the Thrift interface.
         *
         * @param compression of what is put
         */
        public ThriftClient buildThrift(ThriftProtocol protocol, BlockCompression compression) {
            RequestSigner signer = key == null ? null : new RequestSigner(key.id, key.secret, InstantSource.system());
            return new ThriftClient(caller(), new ThriftEncoder(protocol.format(), signer), compression, timeout);
        }

        private HttpCaller caller() {
            HttpClient.Builder client =
                    HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(connectTimeout);
            if (sslContext != null) {
                client.sslContext(sslContext);
            } else if ("http".equals(endpoint.getScheme())) {
                client.sslContext(trustingNobody());
            }
            return new HttpCaller(client.build(), endpoint, retries);
        }

        /** For a client without TLS. It would otherwise begin with reading the certificates that Java trusts, which takes 0.1 s. */
        private static SSLContext trustingNobody() {
            try {
                SSLContext context = SSLContext.getInstance("TLS");
                context.init(null, new TrustManager[0], null);
                return context;
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException("This Java has no TLS", e);
            }
        }

        private record Key(String id, String secret) {
            String basic() {
                byte[] pair = (id + ":" + secret).getBytes(StandardCharsets.UTF_8);
                return "Basic " + Base64.getEncoder().encodeToString(pair);
            }
        }
    }

    // --- topics ---

    /** Creates a topic; when the future completes, its partitions are served. */
    @Override
    public CompletableFuture<Topic> createTopic(NewTopic topic) {
        return send(call(
                "POST",
                "/v1/topics",
                JSON,
                Json.newTopic(topic),
                Retry.OUTCOME_UNKNOWN,
                new TypeReference<Topic>() {}));
    }

    /** The topics of this client's key, by name; all, if it is an admin key. */
    public CompletableFuture<List<Topic>> topics() {
        return topics("/v1/topics", new ArrayList<>());
    }

    private CompletableFuture<List<Topic>> topics(String page, List<Topic> before) {
        return send(read(page, new TypeReference<Topics>() {})).thenCompose(answer -> {
            before.addAll(answer.topics());
            return answer.next() == null
                    ? CompletableFuture.completedFuture(before)
                    : topics("/v1/topics?after=" + answer.next(), before);
        });
    }

    @Override
    public CompletableFuture<Topic> topic(String name) {
        return send(read(topicPath(name), new TypeReference<Topic>() {}));
    }

    /** Deletes a topic with its messages; gives what was deleted. */
    @Override
    public CompletableFuture<Topic> deleteTopic(String name) {
        return send(call("DELETE", topicPath(name), null, null, Retry.OUTCOME_UNKNOWN, new TypeReference<Topic>() {}));
    }

    /** The partitions of a topic, in order. */
    public CompletableFuture<List<Partition>> partitions(String topic) {
        return partitions(topicPath(topic) + "/partitions", "", new ArrayList<>());
    }

    private CompletableFuture<List<Partition>> partitions(String path, String query, List<Partition> before) {
        return send(read(path + query, new TypeReference<Partitions>() {})).thenCompose(answer -> {
            before.addAll(answer.partitions());
            return answer.next() == null
                    ? CompletableFuture.completedFuture(before)
                    : partitions(path, "?after=" + answer.next(), before);
        });
    }

    // --- quotas ---

    /** The quota of a topic. */
    public CompletableFuture<Quota> topicQuota(String topic) {
        return send(read(topicPath(topic) + "/quota", new TypeReference<Quota>() {}));
    }

    /** Replaces the quota of a topic, which the client's key has to own. */
    public CompletableFuture<Quota> setTopicQuota(String topic, QuotaLimits limits) {
        return setQuota(topicPath(topic) + "/quota", limits);
    }

    /** The quotas of all owners about whom something was said, by owner; needs an admin key. */
    public CompletableFuture<List<Quota>> ownerQuotas() {
        return ownerQuotas("", new ArrayList<>());
    }

    private CompletableFuture<List<Quota>> ownerQuotas(String query, List<Quota> before) {
        return send(read("/v1/quotas" + query, new TypeReference<Quotas>() {})).thenCompose(answer -> {
            before.addAll(answer.quotas());
            return answer.next() == null
                    ? CompletableFuture.completedFuture(before)
                    : ownerQuotas("?after=" + encoded(answer.next()), before);
        });
    }

    /** The quota for all topics of an owner together; needs a key of that owner or an admin key. */
    public CompletableFuture<Quota> ownerQuota(String owner) {
        return send(read(ownerPath(owner), new TypeReference<Quota>() {}));
    }

    /** Replaces the quota for all topics of an owner together; needs an admin key. */
    public CompletableFuture<Quota> setOwnerQuota(String owner, QuotaLimits limits) {
        return setQuota(ownerPath(owner), limits);
    }

    private CompletableFuture<Quota> setQuota(String path, QuotaLimits limits) {
        return send(call("PUT", path, JSON, Json.write(limits), Retry.AFTER_BACKOFF, new TypeReference<Quota>() {}));
    }

    private static String ownerPath(String owner) {
        return "/v1/quotas/" + encoded(owner);
    }

    // --- consumer groups ---

    /** The names of the consumer groups of a topic, in order, also of those of Talos SDKs. */
    public CompletableFuture<List<String>> groups(String topic) {
        return groups(topicPath(topic) + "/groups", "", new ArrayList<>());
    }

    private CompletableFuture<List<String>> groups(String path, String query, List<String> before) {
        return send(read(path + query, new TypeReference<Groups>() {})).thenCompose(answer -> {
            before.addAll(answer.groups());
            return answer.next() == null
                    ? CompletableFuture.completedFuture(before)
                    : groups(path, "?after=" + answer.next(), before);
        });
    }

    /** How far a consumer group is; fails with the code {@code consumer-group-not-found} if there is none. */
    public CompletableFuture<ConsumerGroup> group(String topic, String group) {
        return send(read(groupPath(topic, group), new TypeReference<ConsumerGroup>() {}));
    }

    /**
     * Has a consumer group go on elsewhere; fails with the code {@code consumer-group-working} while it has live members.
     *
     * @param partition which; null for all
     */
    public CompletableFuture<Void> resetGroup(String topic, String group, Position to, @Nullable Integer partition) {
        String json = "{" + to.json() + (partition == null ? "" : ",\"partitions\":[" + partition + "]") + "}";
        return change("POST", groupPath(topic, group) + "/reset", json.getBytes(StandardCharsets.UTF_8));
    }

    /** Forgets a consumer group and what it has committed of a topic; fails as {@link #resetGroup}. */
    public CompletableFuture<Void> deleteGroup(String topic, String group) {
        return change("DELETE", groupPath(topic, group), null);
    }

    /** Something that may be repeated and is answered without a body. */
    CompletableFuture<Void> change(String method, String path, byte @Nullable [] body) {
        Map<String, String> headers = JsonCall.headers(authorization, body == null ? null : JSON);
        return send(new JsonCall<Void>(method, path, headers, body, Retry.AFTER_BACKOFF, answer -> null));
    }

    /** Something that may be repeated, has no body, and may wait. */
    <T> CompletableFuture<T> post(String path, TypeReference<T> type, Duration maxWait) {
        return caller.send(call("POST", path, null, null, Retry.AFTER_BACKOFF, type), timeout.plus(maxWait));
    }

    /** A new member of a consumer group. The gateway hears of it, and of the group, with its first request. */
    public GroupMember member(String topic, String group) {
        return new GroupMember(
                this, groupPath(topic, group) + "/members", UUID.randomUUID().toString());
    }

    private static String groupPath(String topic, String group) {
        return topicPath(topic) + "/groups/" + encoded(group);
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
        return send(PutContent.of(partitionPath(topic, partition), messages)
                .call(authorization, idempotencyKey, Json.reader(new TypeReference<Stored>() {})));
    }

    /** Puts messages to a partition, under a condition. */
    public CompletableFuture<Stored> putIf(
            String topic, int partition, PutCondition condition, List<NewMessage> messages) {
        return putIf(topic, partition, condition, messages, newIdempotencyKey());
    }

    /**
     * The same, with a key.
     *
     * @param idempotencyKey 1 to 256 characters, the same for a put and its repeats and for no other put
     */
    public CompletableFuture<Stored> putIf(
            String topic, int partition, PutCondition condition, List<NewMessage> messages, String idempotencyKey) {
        return send(PutContent.of(partitionPath(topic, partition), messages)
                .onlyIf(condition)
                .call(authorization, idempotencyKey, Json.reader(new TypeReference<Stored>() {})));
    }

    /**
     * Takes a partition, so that the puts of other writers with their tokens are refused. What they have put can be read when the future
     * completes: read the partition to its end, and go on from there with {@link PutCondition#hasToken}.
     *
     * @return a token that nobody else has
     */
    public CompletableFuture<String> takePartition(String topic, int partition) {
        return takePartition(topic, partition, UUID.randomUUID().toString(), null);
    }

    private CompletableFuture<String> takePartition(
            String topic, int partition, String token, @Nullable String replaces) {
        return setFencingToken(topic, partition, token, replaces)
                .thenApply(done -> token)
                .exceptionallyCompose(failure -> {
                    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
                    // Another writer may be as fast.
                    return cause instanceof GatewayClientException refusal
                                    && refusal.problem() != null
                                    && "fenced".equals(refusal.code())
                            ? takePartition(
                                    topic, partition, token, refusal.problem().fencingToken())
                            : CompletableFuture.failedFuture(failure);
                });
    }

    /**
     * Sets the fencing token of a partition; fails with the code {@code fenced} if it has another one than is to be replaced.
     *
     * @param token 1 to 64 letters, digits, '.', '_', ':' and '-'; never used before
     * @param replaces the token that the partition must have; null if it must have none
     */
    public CompletableFuture<Void> setFencingToken(
            String topic, int partition, String token, @Nullable String replaces) {
        String path = partitionPath(topic, partition) + "/fencing-token";
        byte[] body = Json.write(new FencingToken(token, replaces));
        return send(call("PUT", path, JSON, body, Retry.AFTER_BACKOFF, new TypeReference<FencingToken>() {}))
                .thenApply(done -> null);
    }

    /**
     * Puts messages to a topic: those with a key to the key's partition, the others together to one.
     *
     * @return what became of each partition's messages, when all are stored or have been sent as often as they may be
     */
    public CompletableFuture<List<PutPart>> put(String topic, List<NewMessage> messages) {
        return put(topic, messages, newIdempotencyKey());
    }

    /**
     * Puts messages to a topic: those with a key to the key's partition, the others together to one. Those that are not stored can be put
     * again with all the others and the same key: what is stored is not stored twice.
     *
     * @param idempotencyKey 1 to 256 characters, the same for a put and its repeats and for no other put
     */
    public CompletableFuture<List<PutPart>> put(String topic, List<NewMessage> messages, String idempotencyKey) {
        JsonCall<TopicPut.Parts> call = PutContent.of(topicPath(topic), messages)
                .call(authorization, idempotencyKey, Json.reader(new TypeReference<TopicPut.Parts>() {}));
        return caller.send(new TopicPut(call), timeout).thenApply(TopicPut.Parts::results);
    }

    /** Gets messages of a partition; none if there are none within {@link GetOptions#maxWait()}. */
    public CompletableFuture<Messages> get(String topic, int partition, Position from, GetOptions options) {
        return caller.send(
                read(getPath(partitionPath(topic, partition), from, options), new TypeReference<Messages>() {}),
                timeout.plus(options.maxWait()));
    }

    @Override
    public CompletableFuture<List<PartitionClient>> partitionClients(String topic) {
        return topic(topic).thenApply(found -> {
            List<PartitionClient> clients = new ArrayList<>();
            for (int partition = 0; partition < found.partitions(); partition++) {
                clients.add(new JsonPartitionClient(caller, authorization, partitionPath(topic, partition), timeout));
            }
            return List.copyOf(clients);
        });
    }

    static String getPath(String partitionPath, Position from, GetOptions options) {
        return partitionPath + "/messages?" + from.query() + "&" + options.query();
    }

    static String newIdempotencyKey() {
        return UUID.randomUUID().toString();
    }

    private static String topicPath(String topic) {
        return "/v1/topics/" + encoded(topic);
    }

    private static String partitionPath(String topic, int partition) {
        return topicPath(topic) + "/partitions/" + partition;
    }

    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private <T> JsonCall<T> read(String path, TypeReference<T> type) {
        return call("GET", path, null, null, Retry.AFTER_BACKOFF, type);
    }

    private <T> JsonCall<T> call(
            String method,
            String path,
            @Nullable String contentType,
            byte @Nullable [] body,
            Retry withoutAnswer,
            TypeReference<T> type) {
        return new JsonCall<>(
                method, path, JsonCall.headers(authorization, contentType), body, withoutAnswer, Json.reader(type));
    }

    private <T> CompletableFuture<T> send(JsonCall<T> call) {
        return caller.send(call, timeout);
    }
}
