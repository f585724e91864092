package io.talosgateway.rest.coordination;

import java.util.Collection;

import io.talosgateway.rest.topic.OwnerQuota;
import io.talosgateway.rest.topic.Quota;
import org.jspecify.annotations.Nullable;

/**
 * The quotas of the owners of topics. Reading is from memory and does not block; a change made here is seen here at once, one made by
 * another host a little later. Changes block. Safe for use by any thread.
 */
public interface OwnerQuotas {

    /** The quota of an owner; null if nothing was said about it. */
    @Nullable
    OwnerQuota find(String ownerId);

    /** The quota of an owner, which says nothing if nothing was said about it. */
    default OwnerQuota of(String ownerId) {
        OwnerQuota known = find(ownerId);
        return known == null ? OwnerQuota.ofNew(ownerId) : known;
    }

    /** The limits of an owner; each put asks for them. */
    default Quota limits(String ownerId) {
        OwnerQuota known = find(ownerId);
        return known == null ? Quota.UNLIMITED : known.limits();
    }

    /** Those about whom something was said, in no order. */
    Collection<OwnerQuota> all();

    /**
     * Replaces {@code expected} by {@code changed}, of the same owner.
     *
     * @throws io.talosgateway.rest.errors.GatewayException {@code OVERLOADED} if somebody else has just changed it,
     *     {@code COORDINATION_UNAVAILABLE} if it is not certain that it was changed
     */
    void replace(OwnerQuota expected, OwnerQuota changed);
}
