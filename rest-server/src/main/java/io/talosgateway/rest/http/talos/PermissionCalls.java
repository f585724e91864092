package io.talosgateway.rest.http.talos;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.http.AuthorizedTopics;
import io.talosgateway.rest.http.RequestClass;
import io.talosgateway.rest.topic.Grants;
import io.talosgateway.rest.topic.TopicMetadata;
import io.talosgateway.rest.topicadmin.TopicAdminService;
import io.talosgateway.scheduler.Deadline;
import io.talosgateway.thrift.GetPermissionRequest;
import io.talosgateway.thrift.GetPermissionResponse;
import io.talosgateway.thrift.ListPermissionRequest;
import io.talosgateway.thrift.ListPermissionResponse;
import io.talosgateway.thrift.Permission;
import io.talosgateway.thrift.RevokePermissionRequest;
import io.talosgateway.thrift.SetPermissionRequest;
import io.talosgateway.thrift.call.ThriftService;
import io.talosgateway.thrift.call.TopicMethods;
import io.talosgateway.thrift.rpc.Grantee;
import org.jspecify.annotations.Nullable;

/** The methods of {@code TopicService} about what a topic's owner grants to others. */
public final class PermissionCalls {

    private final TopicArguments arguments;
    private final TopicAdminService topics;

    public PermissionCalls(AuthorizedTopics authorized, TopicAdminService topics) {
        this.arguments = new TopicArguments(authorized);
        this.topics = topics;
    }

    void register(TalosMethods methods) {
        ThriftService service = ThriftService.TOPIC;
        methods.add(service, TopicMethods.SET_PERMISSION, this::set);
        methods.add(service, TopicMethods.REVOKE_PERMISSION, this::revoke);
        methods.add(service, TopicMethods.LIST_PERMISSION, this::list);
        methods.add(service, TopicMethods.GET_PERMISSION, this::get);
    }

    /**
     * The grants that a topic is created with.
     *
     * @throws GatewayException {@code INVALID_TOPIC_PARAMETERS} if one names nobody or nothing
     */
    static Map<String, Integer> acl(@Nullable Map<Grantee, Permission> aclMap) {
        Map<String, Integer> acl = new HashMap<>();
        if (aclMap != null) {
            aclMap.forEach((grantee, permission) -> acl.put(principal(grantee), bits(permission)));
        }
        return acl;
    }

    private static String principal(Grantee grantee) {
        String identifier = grantee.getIdentifier();
        if (identifier == null) {
            throw new GatewayException(ErrorCode.INVALID_TOPIC_PARAMETERS, "The grantee needs an identifier.");
        }
        return identifier;
    }

    /** A number that the enumeration does not have is decoded as null. */
    private static int bits(@Nullable Permission permission) {
        return permission == null ? 0 : permission.getValue();
    }

    private CompletableFuture<Void> set(TalosCall call, SetPermissionRequest request) {
        Deadline deadline = call.adminDeadline();
        TopicMetadata topic = arguments.find(call, request.getTopicResourceName());
        return topics.grant(topic, principal(request.getGrant()), bits(request.getPermission()), deadline)
                .thenApply(changed -> null);
    }

    private CompletableFuture<Void> revoke(TalosCall call, RevokePermissionRequest request) {
        Deadline deadline = call.adminDeadline();
        TopicMetadata topic = arguments.find(call, request.getTopicResourceName());
        return topics.revoke(topic, principal(request.getGrant()), deadline).thenApply(changed -> null);
    }

    private CompletableFuture<ListPermissionResponse> list(TalosCall call, ListPermissionRequest request) {
        call.exchange().setRequestClass(RequestClass.DESCRIBE);
        TopicMetadata topic = arguments.find(call, request.getTopicResourceName());
        return CompletableFuture.completedFuture(new ListPermissionResponse(Grants.of(topic)));
    }

    private CompletableFuture<GetPermissionResponse> get(TalosCall call, GetPermissionRequest request) {
        call.exchange().setRequestClass(RequestClass.DESCRIBE);
        TopicMetadata topic = arguments.find(call, request.getTopicResourceName());
        String principal = principal(request.getGrant());
        int bits = principal.equals(topic.ownerId()) ? Permission.ADMIN.getValue() : Grants.of(topic, principal);
        return CompletableFuture.completedFuture(new GetPermissionResponse(bits));
    }
}
