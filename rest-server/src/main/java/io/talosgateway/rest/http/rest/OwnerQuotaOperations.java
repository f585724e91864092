package io.talosgateway.rest.http.rest;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

import io.talosgateway.rest.auth.Authorizer;
import io.talosgateway.rest.auth.Operation;
import io.talosgateway.rest.http.Answer;
import io.talosgateway.rest.http.RequestClass;
import io.talosgateway.rest.http.rest.Paging.Page;
import io.talosgateway.rest.partition.PartitionService;
import io.talosgateway.rest.topic.OwnerQuota;
import io.talosgateway.rest.topic.PartitionQuota;
import io.talosgateway.rest.topic.Quota;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.rest.topicadmin.OwnerQuotaService;
import io.talosgateway.scheduler.Deadline;
import org.jspecify.annotations.Nullable;

/** The quotas of the owners of topics, on the JSON interface. */
public final class OwnerQuotaOperations {

    private static final String QUOTAS = "/v1/quotas";
    private static final String QUOTA = QUOTAS + "/{owner}";

    private final OwnerQuotaService quotas;
    private final PartitionService partitions;

    public OwnerQuotaOperations(OwnerQuotaService quotas, PartitionService partitions) {
        this.quotas = quotas;
        this.partitions = partitions;
    }

    List<RestRoute> routes() {
        return List.of(
                new RestRoute(Operation.REST_LIST_OWNER_QUOTAS, "GET", QUOTAS, RequestClass.DESCRIBE, this::list),
                new RestRoute(Operation.REST_GET_OWNER_QUOTA, "GET", QUOTA, RequestClass.DESCRIBE, this::get),
                new RestRoute(Operation.REST_SET_OWNER_QUOTA, "PUT", QUOTA, RequestClass.ADMIN, this::set),
                new RestRoute(Operation.REST_DELETE_OWNER_QUOTA, "DELETE", QUOTA, RequestClass.ADMIN, this::delete));
    }

    /** A quota to set. */
    record NewOwnerQuotaJson(
            @Nullable Integer topics,
            @Nullable Integer partitions,
            @Nullable Long spaceBytes,
            @Nullable Integer putRequestsPerSecond,
            @Nullable Integer getRequestsPerSecond,
            @Nullable Long putBytesPerSecond,
            @Nullable Long getBytesPerSecond) {}

    /**
     * A quota as it is shown.
     *
     * @param appliedPartitions what the owner has applied for
     * @param usedBytes null if some partition is not served at the moment, and in lists
     */
    record OwnerQuotaJson(
            String owner,
            int topics,
            int partitions,
            @Nullable Long spaceBytes,
            @Nullable Integer putRequestsPerSecond,
            @Nullable Integer getRequestsPerSecond,
            @Nullable Long putBytesPerSecond,
            @Nullable Long getBytesPerSecond,
            @Nullable Integer appliedPartitions,
            int usedTopics,
            int usedPartitions,
            @Nullable Long usedBytes) {}

    /** @param next null if there are no more */
    record OwnerQuotasJson(
            List<OwnerQuotaJson> quotas, @Nullable String next) {}

    private CompletableFuture<Answer> list(RestCall call) {
        call.allowQuery(Paging.PARAMETERS);
        Paging paging = Paging.of(call);
        String after = paging.after();
        Page<OwnerQuota> page = paging.of(
                quotas.list(quota -> true),
                quota -> after == null || quota.ownerId().compareTo(after) > 0);
        OwnerQuota next = page.next();
        return CompletableFuture.completedFuture(answer(new OwnerQuotasJson(
                page.entries().stream().map(quota -> json(quota, null)).toList(),
                next == null ? null : next.ownerId())));
    }

    private CompletableFuture<Answer> get(RestCall call) {
        call.allowQuery(Set.of());
        String owner = call.pathParameter("owner");
        Authorizer.requireOwner(call.principal(), owner);
        return answer(quotas.of(owner), call.exchange().deadline());
    }

    private CompletableFuture<Answer> set(RestCall call) {
        call.allowQuery(Set.of());
        NewOwnerQuotaJson wanted = Json.read(call.body(), NewOwnerQuotaJson.class, "The quota");
        Quota limits = new Quota(
                wanted.spaceBytes,
                wanted.putRequestsPerSecond,
                wanted.getRequestsPerSecond,
                wanted.putBytesPerSecond,
                wanted.getBytesPerSecond);
        return replace(call, limits, wanted.topics, wanted.partitions);
    }

    private CompletableFuture<Answer> delete(RestCall call) {
        call.allowQuery(Set.of());
        return replace(call, Quota.UNLIMITED, null, null);
    }

    private CompletableFuture<Answer> replace(
            RestCall call, Quota limits, @Nullable Integer topics, @Nullable Integer granted) {
        String owner = call.pathParameter("owner");
        call.exchange().about(owner);
        Deadline deadline = call.exchange().deadline();
        return quotas.set(owner, limits, topics, granted, deadline).thenCompose(changed -> answer(changed, deadline));
    }

    private CompletableFuture<Answer> answer(OwnerQuota quota, Deadline deadline) {
        List<TopicPartition> owned = quotas.partitionsOf(quota.ownerId());
        return partitions
                .describe(owned, deadline)
                .thenApply(statuses -> answer(json(quota, statuses.storedBytes(owned.size()))));
    }

    private OwnerQuotaJson json(OwnerQuota quota, @Nullable Long usedBytes) {
        Quota limits = quota.limits();
        PartitionQuota pending = quota.pending();
        return new OwnerQuotaJson(
                quota.ownerId(),
                quotas.topics(quota),
                quotas.partitions(quota),
                limits.spaceBytes(),
                limits.putRequestsPerSecond(),
                limits.getRequestsPerSecond(),
                limits.putBytesPerSecond(),
                limits.getBytesPerSecond(),
                pending == null ? null : pending.total(),
                quotas.usedTopics(quota.ownerId()),
                quotas.usedPartitions(quota.ownerId()),
                usedBytes);
    }

    private static Answer answer(Object json) {
        return Answer.of(200, Json.CONTENT_TYPE, Json.write(json));
    }
}
