package io.talosgateway.rest.auth;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import org.jspecify.annotations.Nullable;

/** When keys were last used on this host since it started, to the minute. Safe for use by any thread. */
public final class LastUse {

    private static final int MAX_KEYS = 100_000;
    private static final long PRECISION_MS = 60_000;

    private final Cache<String, Long> byId =
            Caffeine.newBuilder().maximumSize(MAX_KEYS).executor(Runnable::run).build();

    void used(String id, long nowMs) {
        Long minute = nowMs - Math.floorMod(nowMs, PRECISION_MS);
        // Most requests only look.
        if (!minute.equals(byId.getIfPresent(id))) {
            byId.put(id, minute);
        }
    }

    /** Epoch milliseconds; null if it was not used. */
    public @Nullable Long of(String id) {
        return byId.getIfPresent(id);
    }
}
