package io.talosgateway.rest.http.talos;

import java.util.concurrent.CompletableFuture;

import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.http.AuthorizedTopics;
import io.talosgateway.rest.http.RequestClass;
import io.talosgateway.rest.topic.SubResource;
import io.talosgateway.rest.topic.TopicMetadata;
import io.talosgateway.rest.topicadmin.TopicAdminService;
import io.talosgateway.scheduler.Deadline;
import io.talosgateway.thrift.AddSubResourceNameRequest;
import io.talosgateway.thrift.ChangeTopicOwnerInfoRequest;
import io.talosgateway.thrift.ListTopicsResponse;
import io.talosgateway.thrift.TopicTalosResourceName;
import io.talosgateway.thrift.call.ThriftService;
import io.talosgateway.thrift.call.TopicMethods;
import org.jspecify.annotations.Nullable;

/** The methods of {@code TopicService} about whose a topic is. */
public final class TopicOwnerCalls {

    private final AuthorizedTopics authorized;
    private final TopicArguments arguments;
    private final TopicAdminService topics;

    public TopicOwnerCalls(AuthorizedTopics authorized, TopicAdminService topics) {
        this.authorized = authorized;
        this.arguments = new TopicArguments(authorized);
        this.topics = topics;
    }

    void register(TalosMethods methods) {
        ThriftService service = ThriftService.TOPIC;
        methods.add(service, TopicMethods.GET_BIND_TOPICS, this::bound);
        methods.add(service, TopicMethods.CHANGE_TOPIC_OWNER_INFO, this::changeInfo);
        methods.add(service, TopicMethods.ADD_SUB_RESOURCE_NAME, this::handTo);
    }

    private TopicMetadata topic(TalosCall call, TopicTalosResourceName name) {
        call.exchange().about(name.getTopicTalosResourceName());
        return arguments.find(call, name);
    }

    private CompletableFuture<ListTopicsResponse> bound(TalosCall call, @Nullable Object nothing) {
        call.exchange().setRequestClass(RequestClass.DESCRIBE);
        return call.exchange()
                .work(
                        false,
                        () -> new ListTopicsResponse(authorized.listBound(call.principal()).stream()
                                .map(TopicStructs::info)
                                .toList()));
    }

    private CompletableFuture<Void> changeInfo(TalosCall call, ChangeTopicOwnerInfoRequest request) {
        Deadline deadline = call.adminDeadline();
        TopicMetadata topic = topic(call, request.getTopicTalosResourceName());
        return topics.setOwnerInfo(topic, TopicStructs.ownerInfo(request.getOwnerInfo()), deadline)
                .thenApply(changed -> null);
    }

    private CompletableFuture<Void> handTo(TalosCall call, AddSubResourceNameRequest request) {
        Deadline deadline = call.adminDeadline();
        TopicMetadata topic = topic(call, request.getTopicTalosResourceName());
        SubResource subResource;
        try {
            subResource = SubResource.of(request.getOrgId(), request.getAdminTeamId());
        } catch (IllegalArgumentException e) {
            throw GatewayException.because(ErrorCode.INVALID_NAME, e);
        }
        return topics.handTo(topic, subResource, deadline).thenApply(changed -> null);
    }
}
