package io.talosgateway.rest.http.talos;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;

import io.talosgateway.rest.auth.Authorizer;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.http.AuthorizedTopics;
import io.talosgateway.rest.http.RequestClass;
import io.talosgateway.rest.partition.PartitionService;
import io.talosgateway.rest.partition.PartitionStatus;
import io.talosgateway.rest.partition.PartitionStatuses;
import io.talosgateway.rest.topic.TopicMetadata;
import io.talosgateway.rest.topic.TopicName;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.rest.topicadmin.TopicAdminService;
import io.talosgateway.rest.topicadmin.TopicChange;
import io.talosgateway.rest.topicadmin.TopicRequest;
import io.talosgateway.scheduler.Deadline;
import io.talosgateway.thrift.ChangeTopicAttributeRequest;
import io.talosgateway.thrift.CreateTopicRequest;
import io.talosgateway.thrift.CreateTopicResponse;
import io.talosgateway.thrift.DeleteTopicAttributeRequest;
import io.talosgateway.thrift.DeleteTopicRequest;
import io.talosgateway.thrift.GetDescribeInfoResponse;
import io.talosgateway.thrift.GetTopicAttributeResponse;
import io.talosgateway.thrift.ListTopicsInfoResponse;
import io.talosgateway.thrift.ListTopicsResponse;
import io.talosgateway.thrift.TopicAttribute;
import io.talosgateway.thrift.TopicTalosResourceName;
import io.talosgateway.thrift.call.MetricMethods;
import io.talosgateway.thrift.call.ThriftService;
import io.talosgateway.thrift.call.TopicMethods;
import org.jspecify.annotations.Nullable;

/** The methods of {@code TopicService}: the life cycle of topics. */
public final class TopicCalls {

    /** Of all topics in one answer, with the state of each. */
    private static final int MAX_DESCRIBED_PARTITIONS = 20_000;

    private final AuthorizedTopics authorized;
    private final TopicAdminService topics;
    private final PartitionService partitions;

    public TopicCalls(AuthorizedTopics authorized, TopicAdminService topics, PartitionService partitions) {
        this.authorized = authorized;
        this.topics = topics;
        this.partitions = partitions;
    }

    void register(TalosMethods methods) {
        ThriftService service = ThriftService.TOPIC;
        methods.add(service, TopicMethods.CREATE_TOPIC, this::create);
        methods.add(service, TopicMethods.DELETE_TOPIC, this::delete);
        methods.add(service, TopicMethods.CHANGE_TOPIC_ATTRIBUTE, this::change);
        methods.add(service, TopicMethods.DELETE_TOPIC_ATTRIBUTE, this::deleteAttribute);
        methods.add(service, TopicMethods.DESCRIBE_TOPIC, (call, request) -> {
            TopicMetadata topic = byName(call, request.getTopicName());
            return withPartitions(call, List.of(topic), statuses -> TopicStructs.description(topic, statuses));
        });
        methods.add(
                service,
                TopicMethods.GET_DESCRIBE_INFO,
                (call, request) -> describe(call, () -> {
                    TopicMetadata topic = byName(call, request.getTopicName());
                    return new GetDescribeInfoResponse(TopicStructs.resourceName(topic), topic.partitions());
                }));
        methods.add(
                service,
                TopicMethods.GET_TOPIC_ATTRIBUTE,
                (call, request) -> describe(call, () -> {
                    TopicMetadata topic = byName(call, request.getTopicName());
                    return new GetTopicAttributeResponse(
                            TopicStructs.resourceName(topic), TopicStructs.attribute(topic));
                }));
        methods.add(
                service,
                TopicMethods.LIST_TOPICS,
                (call, nothing) -> list(call, Integer.MAX_VALUE)
                        .thenApply(shown -> new ListTopicsResponse(
                                shown.stream().map(TopicStructs::info).toList())));
        methods.add(service, TopicMethods.LIST_TOPICS_INFO, (call, nothing) -> listInfo(call));
        methods.add(ThriftService.METRIC, MetricMethods.LIST_TOPICS, (call, nothing) -> listInfo(call));
    }

    private CompletableFuture<ListTopicsInfoResponse> listInfo(TalosCall call) {
        return list(call, MAX_DESCRIBED_PARTITIONS)
                .thenCompose(shown -> withPartitions(
                        call,
                        shown,
                        statuses -> new ListTopicsInfoResponse(shown.stream()
                                .map(topic -> TopicStructs.topic(topic, statuses))
                                .toList())));
    }

    private <R> CompletableFuture<R> withPartitions(
            TalosCall call, List<TopicMetadata> described, Function<Map<TopicPartition, PartitionStatus>, R> answer) {
        Deadline deadline = call.adminDeadline();
        call.exchange().setRequestClass(RequestClass.DESCRIBE);
        return partitions
                .describe(
                        described.stream().flatMap(TopicMetadata::allPartitions).toList(), deadline)
                .thenApply(PartitionStatuses::byPartition)
                .thenApply(answer);
    }

    /** There may be many: not on a thread that serves connections. */
    private CompletableFuture<List<TopicMetadata>> list(TalosCall call, int maxPartitions) {
        call.exchange().setRequestClass(RequestClass.DESCRIBE);
        return call.exchange().work(false, () -> authorized.listAll(call.principal(), maxPartitions));
    }

    private static <R> CompletableFuture<R> describe(TalosCall call, Supplier<R> answer) {
        call.exchange().setRequestClass(RequestClass.DESCRIBE);
        return CompletableFuture.completedFuture(answer.get());
    }

    private TopicMetadata byName(TalosCall call, String name) {
        // A name that no topic can have is a topic that does not exist.
        return authorized.find(call.principal(), call.operation(), parse(name, ErrorCode.TOPIC_NOT_FOUND));
    }

    private TopicMetadata byResourceName(TalosCall call, TopicTalosResourceName name) {
        return authorized.findByResourceName(call.principal(), call.operation(), name.getTopicTalosResourceName());
    }

    private static TopicName parse(String name, ErrorCode otherwise) {
        try {
            return new TopicName(name);
        } catch (IllegalArgumentException e) {
            throw GatewayException.because(otherwise, e);
        }
    }

    private CompletableFuture<CreateTopicResponse> create(TalosCall call, CreateTopicRequest request) {
        Deadline deadline = call.adminDeadline();
        OwnedName named = OwnedName.parse(request.getTopicName());
        String name = named.name();
        call.exchange().about(name);
        TopicAttribute attribute = request.getTopicAttribute();
        Map<String, Integer> acl = PermissionCalls.acl(request.getAclMap());
        TopicRequest wanted = new TopicRequest(
                parse(name, ErrorCode.INVALID_NAME),
                Authorizer.ownerOfNew(call.principal(), name, named.organization(), !acl.isEmpty()),
                attribute.isSetPartitionNumber() ? attribute.getPartitionNumber() : null,
                retention(attribute),
                attribute.getAttributes() == null ? Map.of() : attribute.getAttributes(),
                acl,
                TopicStructs.quota(request.getTopicQuota()),
                TopicStructs.ownerName(request.getOwnerName()),
                call.principal().admin());
        return topics.create(wanted, deadline).thenApply(topic -> new CreateTopicResponse(TopicStructs.info(topic)));
    }

    private static @Nullable Duration retention(TopicAttribute attribute) {
        return attribute.isSetMessageRetentionSecs() ? Duration.ofSeconds(attribute.getMessageRetentionSecs()) : null;
    }

    private CompletableFuture<Void> delete(TalosCall call, DeleteTopicRequest request) {
        call.exchange().about(request.getTopicTalosResourceName().getTopicTalosResourceName());
        Deadline deadline = call.adminDeadline();
        return topics.delete(byResourceName(call, request.getTopicTalosResourceName()), deadline);
    }

    private CompletableFuture<Void> change(TalosCall call, ChangeTopicAttributeRequest request) {
        call.exchange().about(request.getTopicTalosResourceName().getTopicTalosResourceName());
        Deadline deadline = call.adminDeadline();
        TopicMetadata topic = byResourceName(call, request.getTopicTalosResourceName());
        TopicAttribute attribute = request.getTopicAttribute();
        Map<String, String> merged = new HashMap<>(topic.attributes());
        if (attribute.getAttributes() != null) {
            // Added to what is there: there is a method of its own to remove an entry.
            merged.putAll(attribute.getAttributes());
        }
        TopicChange change = new TopicChange(
                attribute.isSetPartitionNumber() ? attribute.getPartitionNumber() : null,
                retention(attribute),
                merged,
                call.principal().admin());
        return topics.change(topic, change, deadline).thenApply(changed -> null);
    }

    private CompletableFuture<Void> deleteAttribute(TalosCall call, DeleteTopicAttributeRequest request) {
        call.exchange().about(request.getTopicTalosResourceName().getTopicTalosResourceName());
        Deadline deadline = call.adminDeadline();
        TopicMetadata topic = byResourceName(call, request.getTopicTalosResourceName());
        Map<String, String> left = new HashMap<>(topic.attributes());
        left.remove(request.getTopicAttributeKey());
        return topics.change(
                        topic,
                        new TopicChange(null, null, left, call.principal().admin()),
                        deadline)
                .thenApply(changed -> null);
    }
}
