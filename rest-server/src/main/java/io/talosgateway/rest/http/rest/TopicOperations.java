package io.talosgateway.rest.http.rest;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import io.talosgateway.rest.auth.Authorizer;
import io.talosgateway.rest.auth.Operation;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.http.Answer;
import io.talosgateway.rest.http.AuthorizedTopics;
import io.talosgateway.rest.http.RequestClass;
import io.talosgateway.rest.http.rest.Paging.Page;
import io.talosgateway.rest.partition.PartitionService;
import io.talosgateway.rest.partition.PartitionStatus;
import io.talosgateway.rest.partition.PartitionStatuses;
import io.talosgateway.rest.topic.Quota;
import io.talosgateway.rest.topic.TopicMetadata;
import io.talosgateway.rest.topic.TopicName;
import io.talosgateway.rest.topic.TopicOwnerInfo;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.rest.topicadmin.TopicAdminService;
import io.talosgateway.rest.topicadmin.TopicChange;
import io.talosgateway.rest.topicadmin.TopicPage;
import io.talosgateway.rest.topicadmin.TopicRequest;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.jspecify.annotations.Nullable;

/** Topics and partitions on the JSON interface. */
public final class TopicOperations {

    private static final String TOPICS = "/v1/topics";
    private static final String TOPIC = TOPICS + "/{topic}";
    private static final String PARTITIONS = TOPIC + "/partitions";
    private static final String PREFIX = "prefix";
    private static final Set<String> LIST_PARAMETERS = Set.of("limit", "after", PREFIX);

    private final AuthorizedTopics authorized;
    private final TopicAdminService topics;
    private final PartitionService partitions;

    public TopicOperations(AuthorizedTopics authorized, TopicAdminService topics, PartitionService partitions) {
        this.authorized = authorized;
        this.topics = topics;
        this.partitions = partitions;
    }

    List<RestRoute> routes() {
        return List.of(
                route(Operation.REST_LIST_TOPICS, "GET", TOPICS, RequestClass.DESCRIBE, this::list),
                route(Operation.REST_CREATE_TOPIC, "POST", TOPICS, RequestClass.ADMIN, this::create),
                route(Operation.REST_DESCRIBE_TOPIC, "GET", TOPIC, RequestClass.DESCRIBE, this::describe),
                route(Operation.REST_CHANGE_TOPIC, "PATCH", TOPIC, RequestClass.ADMIN, this::change),
                route(Operation.REST_DELETE_TOPIC, "DELETE", TOPIC, RequestClass.ADMIN, this::delete),
                route(Operation.REST_LIST_PARTITIONS, "GET", PARTITIONS, RequestClass.DESCRIBE, this::listPartitions),
                route(
                        Operation.REST_DESCRIBE_PARTITION,
                        "GET",
                        PARTITIONS + "/{partition}",
                        RequestClass.DESCRIBE,
                        this::describePartition));
    }

    private static RestRoute route(
            Operation operation, String method, String path, RequestClass requestClass, RestRoute.Action action) {
        return new RestRoute(operation, method, path, requestClass, call -> {
            call.allowQuery(
                    switch (operation) {
                        case REST_LIST_TOPICS -> LIST_PARAMETERS;
                        case REST_LIST_PARTITIONS -> Paging.PARAMETERS;
                        default -> Set.of();
                    });
            return action.invoke(call);
        });
    }

    /** A topic as it is shown. */
    record TopicJson(
            String name,
            String resourceName,
            String owner,
            int partitions,
            long retentionMs,
            Map<String, String> attributes,
            long createdAtMs) {

        static TopicJson of(TopicMetadata topic) {
            return new TopicJson(
                    topic.name().value(),
                    topic.resourceName(),
                    topic.ownerId(),
                    topic.partitions(),
                    topic.retention().toMillis(),
                    new TreeMap<>(topic.attributes()),
                    topic.createdAtMs());
        }
    }

    /** @param next where the next page begins; null if there is none */
    record TopicsJson(List<TopicJson> topics, @Nullable String next) {}

    /** A topic to create. */
    record NewTopicJson(
            @Nullable String name,
            @Nullable Integer partitions,
            @Nullable Long retentionMs,
            @Nullable Map<String, String> attributes) {}

    /** A change of a topic; an attribute that is null is removed. */
    record TopicChangeJson(
            @Nullable Integer partitions,
            @Nullable Long retentionMs,
            @Nullable Map<String, @Nullable String> attributes) {}

    /**
     * A partition as it is shown.
     *
     * @param owner where clients reach the host that serves it: {@code host:port}, or {@code https://host:port} if it speaks
     *     TLS only; null while nobody does, and then there are no offsets
     */
    record PartitionJson(
            int partition,
            @Nullable String owner,
            @Nullable Long logStartOffset,
            @Nullable Long logEndOffset,
            @Nullable Long messageCount,
            @Nullable Long storedBytes,
            @Nullable String fencingToken) {}

    /** @param next where the next page begins; null if there is none */
    record PartitionsJson(
            String topic,
            List<PartitionJson> partitions,
            @Nullable Integer next) {}

    private static CompletableFuture<Answer> json(Supplier<Object> value) {
        return CompletableFuture.completedFuture(Answer.of(200, Json.CONTENT_TYPE, Json.write(value.get())));
    }

    private CompletableFuture<Answer> list(RestCall call) {
        Paging paging = Paging.of(call);
        String after = paging.after();
        TopicName first = after == null ? null : RestCall.topicName(after);
        String prefix = Objects.requireNonNullElse(call.queryParameter(PREFIX), "");
        return call.exchange().work(false, () -> {
            TopicPage page = authorized.list(call.principal(), prefix, first, paging.limit());
            TopicName next = page.next();
            return Answer.of(
                    200,
                    Json.CONTENT_TYPE,
                    Json.write(new TopicsJson(
                            page.topics().stream().map(TopicJson::of).toList(), next == null ? null : next.value())));
        });
    }

    private CompletableFuture<Answer> describe(RestCall call) {
        return json(() -> TopicJson.of(call.topic(authorized)));
    }

    private CompletableFuture<Answer> create(RestCall call) {
        NewTopicJson json = Json.read(call.body(), NewTopicJson.class, "The topic");
        if (json.name == null) {
            throw RestCall.malformed("The topic needs a name.");
        }
        TopicName name = RestCall.topicName(json.name);
        TopicRequest wanted = new TopicRequest(
                name,
                Authorizer.ownerOfNew(call.principal(), name.value(), null, false),
                json.partitions,
                duration(json.retentionMs),
                withoutNulls(json.attributes),
                Map.of(),
                Quota.UNLIMITED,
                TopicOwnerInfo.NONE,
                call.principal().admin());
        return topics.create(wanted, call.exchange().deadline())
                .thenApply(topic -> Answer.of(201, Json.CONTENT_TYPE, Json.write(TopicJson.of(topic)))
                        .withHeaders(List.of(new HttpField(HttpHeader.LOCATION, TOPICS + "/" + topic.name()))));
    }

    private CompletableFuture<Answer> change(RestCall call) {
        TopicChangeJson json = Json.read(call.body(), TopicChangeJson.class, "The change");
        TopicMetadata topic = call.topic(authorized);
        Map<String, String> attributes = new HashMap<>(topic.attributes());
        if (json.attributes != null) {
            json.attributes.forEach((key, value) -> {
                if (value == null) {
                    attributes.remove(key);
                } else {
                    attributes.put(key, value);
                }
            });
        }
        return topics.change(
                        topic,
                        new TopicChange(
                                json.partitions,
                                duration(json.retentionMs),
                                attributes,
                                call.principal().admin()),
                        call.exchange().deadline())
                .thenApply(changed -> Answer.of(200, Json.CONTENT_TYPE, Json.write(TopicJson.of(changed))));
    }

    private CompletableFuture<Answer> delete(RestCall call) {
        // 200 with a body, not 204: some clients of this gateway's other interface fail at answers without one.
        TopicMetadata topic = call.topic(authorized);
        return topics.delete(topic, call.exchange().deadline())
                .thenApply(done -> Answer.of(200, Json.CONTENT_TYPE, Json.write(TopicJson.of(topic))));
    }

    private CompletableFuture<Answer> listPartitions(RestCall call) {
        TopicMetadata topic = call.topic(authorized);
        int after = call.intParameter("after", -1, 0);
        Page<TopicPartition> page =
                Paging.of(call).of(topic.allPartitions().toList(), partition -> partition.partition() > after);
        TopicPartition next = page.next();
        return shown(page.entries(), call)
                .thenApply(shown -> Answer.of(
                        200,
                        Json.CONTENT_TYPE,
                        Json.write(new PartitionsJson(
                                topic.name().value(), shown, next == null ? null : next.partition()))));
    }

    private CompletableFuture<Answer> describePartition(RestCall call) {
        TopicPartition partition = partition(call.topic(authorized), call.pathParameter("partition"));
        return shown(List.of(partition), call)
                .thenApply(shown -> Answer.of(200, Json.CONTENT_TYPE, Json.write(shown.get(0))));
    }

    private CompletableFuture<List<PartitionJson>> shown(List<TopicPartition> asked, RestCall call) {
        return partitions
                .describe(asked, call.exchange().deadline())
                .thenApply(PartitionStatuses::byPartition)
                .thenApply(statuses -> asked.stream()
                        .map(partition -> shown(partition, statuses.get(partition)))
                        .toList());
    }

    private PartitionJson shown(TopicPartition partition, @Nullable PartitionStatus status) {
        return status == null
                ? new PartitionJson(partition.partition(), null, null, null, null, null, null)
                : new PartitionJson(
                        partition.partition(),
                        status.owner(),
                        status.logStartOffset(),
                        status.logEndOffset(),
                        status.messageCount(),
                        status.storedBytes(),
                        status.fencingToken());
    }

    static TopicPartition partition(TopicMetadata topic, String text) {
        try {
            int partition = Integer.parseInt(text);
            if (topic.hasPartition(partition)) {
                return topic.partition(partition);
            }
        } catch (NumberFormatException e) {
            // Refused below.
        }
        throw new GatewayException(
                ErrorCode.PARTITION_NOT_FOUND,
                "The topic '%s' has partitions 0 to %d, not '%s'."
                        .formatted(topic.name(), topic.partitions() - 1, text));
    }

    private static @Nullable Duration duration(@Nullable Long ms) {
        return ms == null ? null : Duration.ofMillis(ms);
    }

    private static Map<String, String> withoutNulls(@Nullable Map<String, String> attributes) {
        if (attributes == null) {
            return Map.of();
        }
        if (attributes.containsValue(null)) {
            throw RestCall.malformed("An attribute of a topic cannot be null.");
        }
        return attributes;
    }
}
