package io.talosgateway.rest.coordination;

import java.util.Map;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/**
 * The records of the keys that all hosts of the cluster share. They are sealed: only a host that knows the secret can read them.
 * Reading is from memory and does not block; a change made here is seen here at once, one made by another host a little later.
 * Changes block. Safe for use by any thread.
 */
public interface KeyRecords {

    /**
     * A record.
     *
     * @param sealedWith names the secret that it is sealed with
     * @param content Base64
     */
    record Sealed(String sealedWith, String content) {}

    /**
     * A record as it is known here.
     *
     * @param sealed null if it cannot be read
     * @param problem why it cannot be read; null if it can
     * @param version for the next change
     */
    record Known(@Nullable Sealed sealed, @Nullable String problem, int version) {}

    /** All records, by the ids of their keys. */
    Map<String, Known> all();

    /** The record of the key with this id, or null. */
    @Nullable
    Known find(String id);

    /**
     * Has {@code listener} called with the id, on a thread of the coordination or the caller's of a change, after each change. It has
     * returned for a change that is made here before the change does.
     */
    void onChange(Consumer<String> listener);

    /** Why records cannot be created or changed, as a sentence for the operator; null if they can. */
    @Nullable
    String whyReadOnly();

    /**
     * @throws io.talosgateway.rest.errors.GatewayException {@code COORDINATION_UNAVAILABLE} if it is not certain that it was
     *     created
     */
    void create(String id, Sealed record);

    /**
     * Replaces the record of this version; false if it has another one by now, or is gone.
     *
     * @throws io.talosgateway.rest.errors.GatewayException {@code COORDINATION_UNAVAILABLE} if it is not certain that it was
     *     replaced
     */
    boolean replace(String id, int version, Sealed record);

    /**
     * Deletes the record, if there is one.
     *
     * @throws io.talosgateway.rest.errors.GatewayException {@code COORDINATION_UNAVAILABLE} if that is not certain
     */
    void delete(String id);
}
