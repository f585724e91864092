package io.talosgateway.rest.http.rest;

import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

import io.talosgateway.rest.auth.Operation;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.http.Answer;
import io.talosgateway.rest.http.AuthorizedTopics;
import io.talosgateway.rest.http.RequestClass;
import io.talosgateway.rest.http.rest.Paging.Page;
import io.talosgateway.rest.topic.Grants;
import io.talosgateway.rest.topic.TopicMetadata;
import io.talosgateway.rest.topicadmin.TopicAdminService;
import org.jspecify.annotations.Nullable;

/** What a topic's owner grants to others, on the JSON interface. */
public final class PermissionOperations {

    private static final String PERMISSIONS = "/v1/topics/{topic}/permissions";
    private static final String PERMISSION = PERMISSIONS + "/{principal}";

    private final AuthorizedTopics authorized;
    private final TopicAdminService topics;

    public PermissionOperations(AuthorizedTopics authorized, TopicAdminService topics) {
        this.authorized = authorized;
        this.topics = topics;
    }

    List<RestRoute> routes() {
        return List.of(
                new RestRoute(Operation.REST_LIST_PERMISSIONS, "GET", PERMISSIONS, RequestClass.DESCRIBE, this::list),
                new RestRoute(Operation.REST_SET_PERMISSIONS, "PUT", PERMISSION, RequestClass.ADMIN, this::set),
                new RestRoute(
                        Operation.REST_REVOKE_PERMISSIONS, "DELETE", PERMISSION, RequestClass.ADMIN, this::revoke));
    }

    /** What a principal was granted on a topic; no permissions if nothing. */
    record GrantJson(String topic, String principal, List<String> permissions) {

        static GrantJson of(TopicMetadata topic, String principal) {
            return new GrantJson(topic.name().value(), principal, Grants.texts(Grants.of(topic, principal)));
        }
    }

    /** @param next where the next page begins; null if there is none */
    record GrantsJson(
            String topic,
            String owner,
            List<GrantJson> grants,
            @Nullable String next) {}

    /** What to grant, in place of what the principal had. */
    record PermissionsJson(@Nullable List<@Nullable String> permissions) {}

    private CompletableFuture<Answer> list(RestCall call) {
        call.allowQuery(Paging.PARAMETERS);
        TopicMetadata topic = call.topic(authorized);
        Paging paging = Paging.of(call);
        String after = paging.after() == null ? "" : paging.after();
        Page<String> page =
                paging.of(new TreeMap<>(Grants.of(topic)).keySet(), principal -> principal.compareTo(after) > 0);
        List<GrantJson> grants = page.entries().stream()
                .map(principal -> GrantJson.of(topic, principal))
                .toList();
        return CompletableFuture.completedFuture(Answer.of(
                200,
                Json.CONTENT_TYPE,
                Json.write(new GrantsJson(topic.name().value(), topic.ownerId(), grants, page.next()))));
    }

    private CompletableFuture<Answer> set(RestCall call) {
        call.allowQuery(Set.of());
        PermissionsJson json = Json.read(call.body(), PermissionsJson.class, "The grant");
        TopicMetadata topic = call.topic(authorized);
        String principal = call.pathParameter("principal");
        return topics.grant(topic, principal, bits(json), call.exchange().deadline())
                .thenApply(changed -> answer(changed, principal));
    }

    private static int bits(PermissionsJson json) {
        List<@Nullable String> names = json.permissions;
        if (names == null || names.isEmpty()) {
            throw RestCall.malformed("The grant needs permissions; to take it away, DELETE it.");
        }
        try {
            return Grants.parse(names.stream().map(String::valueOf).toList());
        } catch (IllegalArgumentException e) {
            throw GatewayException.because(ErrorCode.INVALID_TOPIC_PARAMETERS, e);
        }
    }

    private CompletableFuture<Answer> revoke(RestCall call) {
        call.allowQuery(Set.of());
        TopicMetadata topic = call.topic(authorized);
        String principal = call.pathParameter("principal");
        return topics.revoke(topic, principal, call.exchange().deadline())
                .thenApply(changed -> answer(changed, principal));
    }

    private static Answer answer(TopicMetadata topic, String principal) {
        return Answer.of(200, Json.CONTENT_TYPE, Json.write(GrantJson.of(topic, principal)));
    }
}
