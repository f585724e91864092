package io.talosgateway.rest.auth;

import io.talosgateway.rest.topic.Permission;
import org.jspecify.annotations.Nullable;

/** What an operation asks of its caller. */
public enum Need {
    /** No key. */
    NOTHING(null),
    /** Any valid key. Which topics the operation shows or creates depends on the key. */
    KEY(null),
    /** An administrator's key without a narrower scope. */
    ADMIN(null),
    /** To be the owner of what is asked about, a topic group or a quota, or an administrator's key. */
    OWNER(null),
    PUT(Permission.PUT),
    GET(Permission.GET),
    DESCRIBE(Permission.DESCRIBE),
    CHANGE_TOPIC(Permission.CHANGE_TOPIC),
    CHANGE_PERMISSION(Permission.CHANGE_PERMISSION);

    private final @Nullable Permission permission;

    Need(@Nullable Permission permission) {
        this.permission = permission;
    }

    /** The permission that the caller needs on the topic of the request; null if the request has no topic yet. */
    public @Nullable Permission permission() {
        return permission;
    }
}
