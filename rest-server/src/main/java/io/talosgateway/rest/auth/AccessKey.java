package io.talosgateway.rest.auth;

import com.fasterxml.jackson.annotation.JsonIgnore;
import org.jspecify.annotations.Nullable;

/**
 * A key that clients sign with.
 *
 * @param id what a client sends; holds no colon
 * @param secret what it keeps to itself
 * @param owner the principal that uses it
 * @param organization that the owner belongs to; null if to none
 * @param admin whether it may do everything
 * @param createdAtMs epoch milliseconds
 */
public record AccessKey(
        String id, String secret, String owner, @Nullable String organization, boolean admin, long createdAtMs) {

    @JsonIgnore
    Principal principal() {
        return new Principal(owner, organization, admin, false, KeyScope.ALL);
    }

    /** Without the secret. */
    @Override
    public String toString() {
        return id + " (owner " + owner + (admin ? ", admin)" : ")");
    }
}
