package io.talosgateway.rest.http.talos;

import java.util.concurrent.CompletableFuture;

import io.talosgateway.rest.http.AuthorizedTopics;
import io.talosgateway.rest.http.RequestClass;
import io.talosgateway.rest.partition.PartitionService;
import io.talosgateway.rest.topic.Quota;
import io.talosgateway.rest.topic.TopicMetadata;
import io.talosgateway.rest.topicadmin.TopicAdminService;
import io.talosgateway.scheduler.Deadline;
import io.talosgateway.thrift.BaseQuota;
import io.talosgateway.thrift.DeleteTopicQuotaRequest;
import io.talosgateway.thrift.QueryTopicQuotaRequest;
import io.talosgateway.thrift.QueryTopicQuotaResponse;
import io.talosgateway.thrift.SetTopicQuotaRequest;
import io.talosgateway.thrift.TopicTalosResourceName;
import io.talosgateway.thrift.call.ThriftService;
import io.talosgateway.thrift.call.TopicMethods;

/** The methods of {@code TopicService} about the quota of a topic. */
public final class TopicQuotaCalls {

    private final TopicArguments arguments;
    private final TopicAdminService topics;
    private final PartitionService partitions;

    public TopicQuotaCalls(AuthorizedTopics authorized, TopicAdminService topics, PartitionService partitions) {
        this.arguments = new TopicArguments(authorized);
        this.topics = topics;
        this.partitions = partitions;
    }

    void register(TalosMethods methods) {
        ThriftService service = ThriftService.TOPIC;
        methods.add(service, TopicMethods.SET_TOPIC_QUOTA, this::set);
        methods.add(service, TopicMethods.QUERY_TOPIC_QUOTA, this::query);
        methods.add(service, TopicMethods.DELETE_TOPIC_QUOTA, this::delete);
    }

    private CompletableFuture<Void> set(TalosCall call, SetTopicQuotaRequest request) {
        return replace(call, request.getTopicResourceName(), TopicStructs.quota(request.getTopicQuota()));
    }

    /** Of a topic without one, too: a client that repeats this after a lost answer has what it wants. */
    private CompletableFuture<Void> delete(TalosCall call, DeleteTopicQuotaRequest request) {
        return replace(call, request.getTopicResourceName(), Quota.UNLIMITED);
    }

    private CompletableFuture<Void> replace(TalosCall call, TopicTalosResourceName name, Quota quota) {
        call.exchange().about(name.getTopicTalosResourceName());
        Deadline deadline = call.adminDeadline();
        return topics.setQuota(arguments.find(call, name), quota, deadline).thenApply(changed -> null);
    }

    private CompletableFuture<QueryTopicQuotaResponse> query(TalosCall call, QueryTopicQuotaRequest request) {
        call.exchange().setRequestClass(RequestClass.DESCRIBE);
        TopicMetadata topic = arguments.find(call, request.getTopicResourceName());
        return partitions
                .describe(topic.allPartitions().toList(), call.exchange().deadline())
                .thenApply(statuses -> {
                    BaseQuota quota = TopicStructs.quota(topic.quota());
                    TopicStructs.setUse(quota, topic.quota(), statuses.storedBytes(topic.partitions()));
                    return new QueryTopicQuotaResponse(quota);
                });
    }
}
