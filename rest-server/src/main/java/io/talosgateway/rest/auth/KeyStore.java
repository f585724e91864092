package io.talosgateway.rest.auth;

import org.jspecify.annotations.Nullable;

/** The keys that may be used. Safe for use by any thread; does not block for long. */
public interface KeyStore {

    /** The key with this id, or null. */
    @Nullable
    AccessKey find(String id);
}
