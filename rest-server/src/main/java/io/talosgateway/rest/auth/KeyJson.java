package io.talosgateway.rest.auth;

import java.util.List;
import java.util.stream.Stream;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.talosgateway.rest.auth.AccessKey.ReplacedSecret;
import org.jspecify.annotations.Nullable;

/**
 * A key as it is written. A field may be missing, but for the first three.
 *
 * @param permissions by name; missing for all
 * @param topics patterns of names; missing for all
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record KeyJson(
        String id,
        String secret,
        String owner,
        @Nullable String organization,
        boolean admin,
        @Nullable List<String> permissions,
        @Nullable List<String> topics,
        boolean disabled,
        @Nullable Long expiresAtMs,
        @Nullable String previousSecret,
        @Nullable Long previousSecretUntilMs,
        @Nullable String description,
        long createdAtMs) {

    static KeyJson of(AccessKey key) {
        KeySettings settings = key.settings();
        KeyScope scope = settings.scope();
        ReplacedSecret replaced = key.replaced();
        return new KeyJson(
                key.id(),
                key.secret(),
                key.owner(),
                key.organization(),
                key.admin(),
                scope.permissions().equals(KeyScope.ALL.permissions()) ? null : scope.permissionNames(),
                scope.topics().equals(KeyScope.ALL.topics()) ? null : scope.topics(),
                settings.disabled(),
                settings.expiresAtMs(),
                replaced == null ? null : replaced.secret(),
                replaced == null ? null : replaced.untilMs(),
                settings.description(),
                key.createdAtMs());
    }

    /** @throws IllegalArgumentException with a sentence for the user if it is not a key */
    AccessKey toKey() {
        if (Stream.of(id, secret, owner).anyMatch(text -> text == null)) {
            throw new IllegalArgumentException("every key needs an id, a secret and an owner");
        }
        if ((previousSecret == null) != (previousSecretUntilMs == null)) {
            throw new IllegalArgumentException("previousSecret and previousSecretUntilMs belong together");
        }
        return new AccessKey(
                id,
                secret,
                owner,
                organization,
                admin,
                new KeySettings(KeyScope.of(permissions, topics), disabled, expiresAtMs, description),
                previousSecret == null || previousSecretUntilMs == null
                        ? null
                        : new ReplacedSecret(previousSecret, previousSecretUntilMs),
                createdAtMs);
    }

    /** Without the secrets. */
    @Override
    public String toString() {
        return id;
    }
}
