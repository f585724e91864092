package io.talosgateway.rest.auth;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * A key that clients sign with.
 *
 * @param id what a client sends; holds no colon
 * @param secret what it keeps to itself
 * @param owner the principal that uses it
 * @param organization that the owner belongs to; null if to none
 * @param admin whether it may do everything
 * @param settings what may be changed
 * @param replaced the secret before this one, which stays valid for a while; null if there was none
 * @param createdAtMs epoch milliseconds
 */
public record AccessKey(
        String id,
        String secret,
        String owner,
        @Nullable String organization,
        boolean admin,
        KeySettings settings,
        @Nullable ReplacedSecret replaced,
        long createdAtMs) {

    /** @param untilMs epoch milliseconds from which on it is refused */
    public record ReplacedSecret(String secret, long untilMs) {

        /** Without the secret. */
        @Override
        public String toString() {
            return "valid until " + Instant.ofEpochMilli(untilMs);
        }
    }

    /** @throws IllegalArgumentException with a sentence for the user if it is not complete */
    public AccessKey {
        if (id.isBlank() || secret.isBlank() || owner.isBlank()) {
            throw new IllegalArgumentException("every key needs an id, a secret and an owner");
        }
        if (id.indexOf(':') >= 0) {
            throw new IllegalArgumentException("the id of a key has no colon, as '" + id + "' has");
        }
    }

    /** A key without limits. */
    public AccessKey(
            String id, String secret, String owner, @Nullable String organization, boolean admin, long createdAtMs) {
        this(id, secret, owner, organization, admin, KeySettings.DEFAULT, null, createdAtMs);
    }

    Principal principal() {
        return new Principal(owner, organization, admin, false, settings.scope());
    }

    public AccessKey with(KeySettings newSettings) {
        return new AccessKey(id, secret, owner, organization, admin, newSettings, replaced, createdAtMs);
    }

    /** The same key with another secret; the one that it has now stays valid until then. */
    public AccessKey rotated(String newSecret, long untilMs) {
        ReplacedSecret old = new ReplacedSecret(secret, untilMs);
        return new AccessKey(id, newSecret, owner, organization, admin, settings, old, createdAtMs);
    }

    /** Without the secrets. */
    @Override
    public String toString() {
        return id + " (owner " + owner + (admin ? ", admin)" : ")");
    }
}
