package io.talosgateway.rest.http.rest;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.talosgateway.rest.auth.AccessKey;
import io.talosgateway.rest.auth.AccessKey.ReplacedSecret;
import io.talosgateway.rest.auth.KeyAdmin;
import io.talosgateway.rest.auth.KeyAdmin.Listed;
import io.talosgateway.rest.auth.KeyRole;
import io.talosgateway.rest.auth.KeyScope;
import io.talosgateway.rest.auth.KeySettings;
import io.talosgateway.rest.auth.NewKey;
import io.talosgateway.rest.auth.Operation;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.http.Answer;
import io.talosgateway.rest.http.RequestClass;
import io.talosgateway.rest.http.rest.Paging.Page;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.jspecify.annotations.Nullable;

/** Keys on the JSON interface, for administrators. */
public final class KeyOperations {

    private static final String KEYS = "/v1/keys";
    private static final String KEY = KEYS + "/{keyId}";
    private static final Duration DEFAULT_ROTATION = Duration.ofHours(24);

    /** A cache would keep a secret. */
    private static final HttpField NO_CACHE = new HttpField(HttpHeader.CACHE_CONTROL, "no-store");

    private final KeyAdmin keys;

    public KeyOperations(KeyAdmin keys) {
        this.keys = keys;
    }

    List<RestRoute> routes() {
        return List.of(
                route(Operation.REST_LIST_KEYS, "GET", KEYS, RequestClass.DESCRIBE, this::list),
                route(Operation.REST_CREATE_KEY, "POST", KEYS, RequestClass.ADMIN, this::create),
                route(Operation.REST_DESCRIBE_KEY, "GET", KEY, RequestClass.DESCRIBE, this::describe),
                route(Operation.REST_CHANGE_KEY, "PATCH", KEY, RequestClass.ADMIN, this::change),
                route(Operation.REST_DELETE_KEY, "DELETE", KEY, RequestClass.ADMIN, this::delete),
                route(Operation.REST_ROTATE_KEY, "POST", KEY + "/rotate", RequestClass.ADMIN, this::rotate));
    }

    private static RestRoute route(
            Operation operation, String method, String path, RequestClass requestClass, RestRoute.Action action) {
        return new RestRoute(operation, method, path, requestClass, call -> {
            call.allowQuery(operation == Operation.REST_LIST_KEYS ? Paging.PARAMETERS : Set.of());
            return action.invoke(call);
        });
    }

    /** A key to make. */
    record NewKeyJson(
            @Nullable String owner,
            @Nullable String organization,
            @Nullable Boolean admin,
            @Nullable String role,
            @Nullable List<String> permissions,
            @Nullable List<String> topics,
            @Nullable Long expiresAtMs,
            @Nullable String description) {}

    /** What may be changed of a key, as far as it is not the default. */
    record SettingsJson(
            @Nullable List<String> permissions,
            @Nullable List<String> topics,
            @Nullable Boolean disabled,
            @Nullable Long expiresAtMs,
            @Nullable String description) {

        static SettingsJson of(KeySettings settings) {
            return new SettingsJson(
                    settings.scope().permissionNames(),
                    settings.scope().topics(),
                    settings.disabled(),
                    settings.expiresAtMs(),
                    settings.description());
        }

        KeySettings toSettings() {
            return new KeySettings(
                    KeyScope.of(permissions, topics), Boolean.TRUE.equals(disabled), expiresAtMs, description);
        }
    }

    /**
     * A key as it is shown.
     *
     * @param secret only in the answer that made it
     * @param problem why the rest is missing
     */
    record KeyJson(
            String id,
            @Nullable String secret,
            @Nullable String owner,
            @Nullable String organization,
            @Nullable Boolean admin,
            @Nullable List<String> permissions,
            @Nullable List<String> topics,
            @Nullable Boolean disabled,
            @Nullable Long expiresAtMs,
            @Nullable Long previousSecretUntilMs,
            @Nullable String description,
            @Nullable Long createdAtMs,
            @Nullable Long lastUsedAtMs,
            String source,
            @Nullable String problem) {

        static KeyJson of(Listed listed) {
            String source = listed.source().name().toLowerCase(Locale.ROOT);
            AccessKey key = listed.key();
            return key == null
                    ? new KeyJson(
                            listed.id(),
                            null,
                            null,
                            null,
                            null,
                            null,
                            null,
                            null,
                            null,
                            null,
                            null,
                            null,
                            null,
                            source,
                            listed.problem())
                    : of(key, null, listed.lastUsedAtMs(), source);
        }

        static KeyJson withSecret(AccessKey key) {
            return of(key, key.secret(), null, "cluster");
        }

        private static KeyJson of(AccessKey key, @Nullable String secret, @Nullable Long lastUsedAtMs, String source) {
            KeySettings settings = key.settings();
            ReplacedSecret replaced = key.replaced();
            return new KeyJson(
                    key.id(),
                    secret,
                    key.owner(),
                    key.organization(),
                    key.admin(),
                    settings.scope().permissionNames(),
                    settings.scope().topics(),
                    settings.disabled(),
                    settings.expiresAtMs(),
                    replaced == null ? null : replaced.untilMs(),
                    settings.description(),
                    key.createdAtMs(),
                    lastUsedAtMs,
                    source,
                    null);
        }

        /** Without the secret. */
        @Override
        public String toString() {
            return id;
        }
    }

    /** @param next where the next page begins; null if there is none */
    record KeysJson(List<KeyJson> keys, @Nullable String next) {}

    /** How long the old secret stays valid. */
    record RotationJson(@Nullable Long keepOldForMs) {}

    private static Answer answer(Object json) {
        return Answer.of(200, Json.CONTENT_TYPE, Json.write(json)).withHeaders(List.of(NO_CACHE));
    }

    private CompletableFuture<Answer> list(RestCall call) {
        Paging paging = Paging.of(call);
        KeyCursor after = paging.after() == null ? null : KeyCursor.parse(paging.after());
        Page<Listed> page =
                paging.of(keys.list(), key -> after == null || KeyCursor.of(key).compareTo(after) > 0);
        Listed next = page.next();
        return CompletableFuture.completedFuture(answer(new KeysJson(
                page.entries().stream().map(KeyJson::of).toList(),
                next == null ? null : KeyCursor.of(next).text())));
    }

    private CompletableFuture<Answer> describe(RestCall call) {
        return CompletableFuture.completedFuture(answer(KeyJson.of(keys.get(id(call)))));
    }

    private static String id(RestCall call) {
        return call.pathParameter("keyId");
    }

    private CompletableFuture<Answer> create(RestCall call) {
        NewKeyJson json = Json.read(call.body(), NewKeyJson.class, "The key");
        return keys.create(checked(() -> wanted(json)))
                .thenApply(key -> Answer.of(201, Json.CONTENT_TYPE, Json.write(KeyJson.withSecret(key)))
                        .withHeaders(List.of(NO_CACHE, new HttpField(HttpHeader.LOCATION, KEYS + "/" + key.id()))));
    }

    private static NewKey wanted(NewKeyJson json) {
        if (json.role != null && json.permissions != null) {
            throw new IllegalArgumentException("A key has a role or permissions, not both.");
        }
        KeyScope scope = KeyScope.of(json.permissions, json.topics);
        return new NewKey(
                json.owner,
                json.organization,
                Boolean.TRUE.equals(json.admin),
                new KeySettings(
                        json.role == null ? scope : new KeyScope(KeyRole.permissions(json.role), scope.topics()),
                        false,
                        json.expiresAtMs,
                        json.description));
    }

    private CompletableFuture<Answer> change(RestCall call) {
        ObjectNode change = Json.read(call.body(), ObjectNode.class, "The change");
        return keys.change(id(call), settings -> checked(() -> merged(settings, change)))
                .thenApply(changed -> answer(KeyJson.of(changed)));
    }

    /** As RFC 7396 has it: a field that is null goes back to its default. */
    private static KeySettings merged(KeySettings before, ObjectNode change) {
        ObjectNode merged = Json.MAPPER.valueToTree(SettingsJson.of(before));
        change.properties().forEach(field -> merged.set(field.getKey(), field.getValue()));
        return Json.read(Json.write(merged), SettingsJson.class, "The change").toSettings();
    }

    private CompletableFuture<Answer> rotate(RestCall call) {
        RotationJson json = call.body().length() == 0
                ? new RotationJson(null)
                : Json.read(call.body(), RotationJson.class, "The rotation");
        Duration keepOldFor = json.keepOldForMs == null ? DEFAULT_ROTATION : Duration.ofMillis(json.keepOldForMs);
        return keys.rotate(id(call), keepOldFor).thenApply(key -> answer(KeyJson.withSecret(key)));
    }

    private CompletableFuture<Answer> delete(RestCall call) {
        // As for topics: 200 with a body, not 204.
        Listed deleted = keys.get(id(call));
        return keys.delete(id(call)).thenApply(done -> answer(KeyJson.of(deleted)));
    }

    private static <T> T checked(Supplier<T> parameters) {
        try {
            return parameters.get();
        } catch (IllegalArgumentException e) {
            throw GatewayException.because(ErrorCode.INVALID_KEY_PARAMETERS, e);
        }
    }
}
