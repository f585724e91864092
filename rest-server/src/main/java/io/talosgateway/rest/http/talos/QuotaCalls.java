package io.talosgateway.rest.http.talos;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.talosgateway.rest.auth.Authorizer;
import io.talosgateway.rest.http.RequestClass;
import io.talosgateway.rest.partition.PartitionService;
import io.talosgateway.rest.topic.OwnerQuota;
import io.talosgateway.rest.topic.PartitionQuota;
import io.talosgateway.rest.topic.Quota;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.rest.topicadmin.OwnerQuotaService;
import io.talosgateway.thrift.ApplyQuotaRequest;
import io.talosgateway.thrift.ApproveQuotaRequest;
import io.talosgateway.thrift.ApproveQuotaResponse;
import io.talosgateway.thrift.AutoApplyQuotaRequest;
import io.talosgateway.thrift.DeleteUserQuotaRequest;
import io.talosgateway.thrift.ListPendingQuotaResponse;
import io.talosgateway.thrift.ListQuotaResponse;
import io.talosgateway.thrift.ListUserQuotaResponse;
import io.talosgateway.thrift.PartitionQuotaInfo;
import io.talosgateway.thrift.QueryUserQuotaResponse;
import io.talosgateway.thrift.RevokeQuotaRequest;
import io.talosgateway.thrift.RevokeQuotaResponse;
import io.talosgateway.thrift.SetUserQuotaRequest;
import io.talosgateway.thrift.UserQuota;
import io.talosgateway.thrift.call.QuotaMethods;
import io.talosgateway.thrift.call.ThriftService;
import org.jspecify.annotations.Nullable;

/** The methods of {@code QuotaService}: quotas of developers and organizations, who own topics. */
public final class QuotaCalls {

    private final OwnerQuotaService quotas;
    private final PartitionService partitions;

    public QuotaCalls(OwnerQuotaService quotas, PartitionService partitions) {
        this.quotas = quotas;
        this.partitions = partitions;
    }

    void register(TalosMethods methods) {
        ThriftService service = ThriftService.QUOTA;
        methods.add(service, QuotaMethods.SET_USER_QUOTA, this::setUserQuota);
        methods.add(service, QuotaMethods.LIST_USER_QUOTA, this::listUserQuota);
        methods.add(service, QuotaMethods.QUERY_USER_QUOTA, this::queryUserQuota);
        methods.add(service, QuotaMethods.DELETE_USER_QUOTA, this::deleteUserQuota);
        methods.add(service, QuotaMethods.APPLY_QUOTA, this::apply);
        methods.add(service, QuotaMethods.AUTO_APPLY_QUOTA, this::autoApply);
        methods.add(service, QuotaMethods.LIST_QUOTA, this::list);
        methods.add(service, QuotaMethods.LIST_PENDING_QUOTA, this::listPending);
        methods.add(service, QuotaMethods.APPROVE_QUOTA, this::approve);
        methods.add(service, QuotaMethods.REVOKE_QUOTA, this::revoke);
    }

    private CompletableFuture<Void> setUserQuota(TalosCall call, SetUserQuotaRequest request) {
        call.exchange().about(request.getDeveloperId());
        UserQuota quota = request.getUserQuota();
        return quotas.setLimits(
                        request.getDeveloperId(),
                        TopicStructs.quota(quota.getBaseQuota()),
                        quota.isSetTopicNumberQuota() ? quota.getTopicNumberQuota() : null,
                        call.adminDeadline())
                .thenApply(changed -> null);
    }

    /** Of a developer without one, too: a client that repeats this after a lost answer has what it wants. */
    private CompletableFuture<Void> deleteUserQuota(TalosCall call, DeleteUserQuotaRequest request) {
        call.exchange().about(request.getDeveloperId());
        return quotas.setLimits(request.getDeveloperId(), Quota.UNLIMITED, null, call.adminDeadline())
                .thenApply(changed -> null);
    }

    private CompletableFuture<ListUserQuotaResponse> listUserQuota(TalosCall call, @Nullable Object nothing) {
        call.exchange().setRequestClass(RequestClass.DESCRIBE);
        Map<String, UserQuota> all =
                quotas.list(OwnerQuota::isSet).stream().collect(Collectors.toMap(OwnerQuota::ownerId, this::userQuota));
        return CompletableFuture.completedFuture(new ListUserQuotaResponse(all));
    }

    private CompletableFuture<QueryUserQuotaResponse> queryUserQuota(TalosCall call, @Nullable Object nothing) {
        call.exchange().setRequestClass(RequestClass.DESCRIBE);
        OwnerQuota quota = quotas.of(Authorizer.defaultOwner(call.principal()));
        List<TopicPartition> owned = quotas.partitionsOf(quota.ownerId());
        return partitions.describe(owned, call.exchange().deadline()).thenApply(statuses -> {
            UserQuota struct = userQuota(quota);
            TopicStructs.setUse(struct.getBaseQuota(), quota.limits(), statuses.storedBytes(owned.size()));
            return new QueryUserQuotaResponse(struct);
        });
    }

    private UserQuota userQuota(OwnerQuota quota) {
        return new UserQuota(TopicStructs.quota(quota.limits())).setTopicNumberQuota(quotas.topics(quota));
    }

    private CompletableFuture<Void> apply(TalosCall call, ApplyQuotaRequest request) {
        PartitionQuotaInfo info = about(call, request.getQuotaInfo());
        Authorizer.requireOwner(call.principal(), info.getOrgId());
        return quotas.apply(info.getOrgId(), quota(info), call.adminDeadline()).thenApply(changed -> null);
    }

    private CompletableFuture<Void> autoApply(TalosCall call, AutoApplyQuotaRequest request) {
        PartitionQuotaInfo info = about(call, request.getQuotaInfo());
        Authorizer.requireOwner(call.principal(), info.getOrgId());
        return quotas.applyAutomatically(info.getOrgId(), quota(info), call.adminDeadline())
                .thenApply(changed -> null);
    }

    private static PartitionQuotaInfo about(TalosCall call, PartitionQuotaInfo info) {
        call.exchange().about(info.getOrgId());
        return info;
    }

    private static PartitionQuota quota(PartitionQuotaInfo info) {
        return new PartitionQuota(info.getTotalQuota(), info.getApplyReason(), info.getOrgName());
    }

    /** Administrators see all that were granted, and everybody what it may have. */
    private CompletableFuture<ListQuotaResponse> list(TalosCall call, @Nullable Object nothing) {
        call.exchange().setRequestClass(RequestClass.DESCRIBE);
        String own = Authorizer.defaultOwner(call.principal());
        List<PartitionQuotaInfo> shown = Stream.concat(
                        Stream.of(quotas.of(own)),
                        quotas
                                .list(quota -> call.principal().admin()
                                        && quota.granted() != null
                                        && !quota.ownerId().equals(own))
                                .stream())
                .map(quota -> info(
                                quota.ownerId(),
                                quota.granted() == null
                                        ? new PartitionQuota(quotas.partitions(quota), null, null)
                                        : quota.granted())
                        .setUsedOuota(quotas.usedPartitions(quota.ownerId())))
                .toList();
        long total = shown.stream().mapToLong(PartitionQuotaInfo::getTotalQuota).sum();
        return CompletableFuture.completedFuture(
                new ListQuotaResponse(shown, (int) Math.min(total, Integer.MAX_VALUE)));
    }

    private static PartitionQuotaInfo info(String owner, PartitionQuota quota) {
        return new PartitionQuotaInfo(owner, quota.total())
                .setApplyReason(quota.reason())
                .setOrgName(quota.ownerName());
    }

    private CompletableFuture<ListPendingQuotaResponse> listPending(TalosCall call, @Nullable Object nothing) {
        call.exchange().setRequestClass(RequestClass.DESCRIBE);
        return CompletableFuture.completedFuture(
                new ListPendingQuotaResponse(pending(), call.principal().admin()));
    }

    private List<PartitionQuotaInfo> pending() {
        return quotas.list(quota -> quota.pending() != null).stream()
                .flatMap(quota -> Stream.ofNullable(quota.pending())
                        .map(pending ->
                                info(quota.ownerId(), pending).setUsedOuota(quotas.usedPartitions(quota.ownerId()))))
                .toList();
    }

    private CompletableFuture<ApproveQuotaResponse> approve(TalosCall call, ApproveQuotaRequest request) {
        PartitionQuotaInfo info = about(call, request.getQuotaInfo());
        return quotas.approve(info.getOrgId(), info.getTotalQuota(), call.adminDeadline())
                .thenApply(changed ->
                        new ApproveQuotaResponse(pending(), call.principal().admin()));
    }

    private CompletableFuture<RevokeQuotaResponse> revoke(TalosCall call, RevokeQuotaRequest request) {
        PartitionQuotaInfo info = about(call, request.getQuotaInfo());
        return quotas.revoke(info.getOrgId(), info.getTotalQuota(), call.adminDeadline())
                .thenApply(changed ->
                        new RevokeQuotaResponse(pending(), call.principal().admin()));
    }
}
