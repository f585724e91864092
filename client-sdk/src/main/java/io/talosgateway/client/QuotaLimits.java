package io.talosgateway.client;

import org.jspecify.annotations.Nullable;

/**
 * What a topic, or all topics of an owner together, may take up and be asked for. Null is no limit; of topics and partitions, as many as
 * every owner may have.
 *
 * @param topics most topics; of an owner only
 * @param partitions most partitions; of an owner only
 * @param spaceBytes bytes of messages that may be stored
 * @param putRequestsPerSecond put requests
 * @param getRequestsPerSecond get requests
 * @param putBytesPerSecond bytes put
 * @param getBytesPerSecond bytes got
 */
public record QuotaLimits(
        @Nullable Integer topics,
        @Nullable Integer partitions,
        @Nullable Long spaceBytes,
        @Nullable Integer putRequestsPerSecond,
        @Nullable Integer getRequestsPerSecond,
        @Nullable Long putBytesPerSecond,
        @Nullable Long getBytesPerSecond) {

    public static final QuotaLimits NONE = new QuotaLimits(null, null, null, null, null, null, null);
}
