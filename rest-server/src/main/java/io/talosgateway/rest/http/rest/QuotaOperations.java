package io.talosgateway.rest.http.rest;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

import io.talosgateway.rest.auth.Operation;
import io.talosgateway.rest.http.Answer;
import io.talosgateway.rest.http.AuthorizedTopics;
import io.talosgateway.rest.http.RequestClass;
import io.talosgateway.rest.partition.PartitionService;
import io.talosgateway.rest.topic.Quota;
import io.talosgateway.rest.topic.TopicMetadata;
import io.talosgateway.rest.topicadmin.TopicAdminService;
import io.talosgateway.scheduler.Deadline;
import org.jspecify.annotations.Nullable;

/** The quota of a topic, on the JSON interface. */
public final class QuotaOperations {

    private static final String QUOTA = "/v1/topics/{topic}/quota";

    private final AuthorizedTopics authorized;
    private final TopicAdminService topics;
    private final PartitionService partitions;

    public QuotaOperations(AuthorizedTopics authorized, TopicAdminService topics, PartitionService partitions) {
        this.authorized = authorized;
        this.topics = topics;
        this.partitions = partitions;
    }

    List<RestRoute> routes() {
        return List.of(
                new RestRoute(Operation.REST_GET_QUOTA, "GET", QUOTA, RequestClass.DESCRIBE, this::get),
                new RestRoute(Operation.REST_SET_QUOTA, "PUT", QUOTA, RequestClass.ADMIN, this::set),
                new RestRoute(Operation.REST_DELETE_QUOTA, "DELETE", QUOTA, RequestClass.ADMIN, this::delete));
    }

    /** @param usedBytes null if some partition is not served at the moment */
    record QuotaJson(
            String topic,
            @Nullable Long spaceBytes,
            @Nullable Integer putRequestsPerSecond,
            @Nullable Integer getRequestsPerSecond,
            @Nullable Long putBytesPerSecond,
            @Nullable Long getBytesPerSecond,
            @Nullable Long usedBytes) {}

    private CompletableFuture<Answer> get(RestCall call) {
        call.allowQuery(Set.of());
        return answer(call.topic(authorized), call.exchange().deadline());
    }

    private CompletableFuture<Answer> set(RestCall call) {
        call.allowQuery(Set.of());
        return replace(call, Json.read(call.body(), Quota.class, "The quota"));
    }

    private CompletableFuture<Answer> delete(RestCall call) {
        call.allowQuery(Set.of());
        return replace(call, Quota.UNLIMITED);
    }

    private CompletableFuture<Answer> replace(RestCall call, Quota quota) {
        Deadline deadline = call.exchange().deadline();
        return topics.setQuota(call.topic(authorized), quota, deadline)
                .thenCompose(changed -> answer(changed, deadline));
    }

    private CompletableFuture<Answer> answer(TopicMetadata topic, Deadline deadline) {
        Quota quota = topic.quota();
        return partitions
                .describe(topic.allPartitions().toList(), deadline)
                .thenApply(statuses -> Answer.of(
                        200,
                        Json.CONTENT_TYPE,
                        Json.write(new QuotaJson(
                                topic.name().value(),
                                quota.spaceBytes(),
                                quota.putRequestsPerSecond(),
                                quota.getRequestsPerSecond(),
                                quota.putBytesPerSecond(),
                                quota.getBytesPerSecond(),
                                statuses.storedBytes(topic.partitions())))));
    }
}
