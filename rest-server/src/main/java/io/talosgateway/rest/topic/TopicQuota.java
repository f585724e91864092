package io.talosgateway.rest.topic;

import org.jspecify.annotations.Nullable;

/**
 * Space and rate quota of a topic, as given at its creation. Null means no limit.
 *
 * @param spaceBytes bytes that may be stored
 * @param putRequestsPerSecond put requests per second
 * @param getRequestsPerSecond get requests per second
 * @param putBytesPerSecond bytes put per second
 * @param getBytesPerSecond bytes got per second
 */
public record TopicQuota(
        @Nullable Long spaceBytes,
        @Nullable Integer putRequestsPerSecond,
        @Nullable Integer getRequestsPerSecond,
        @Nullable Long putBytesPerSecond,
        @Nullable Long getBytesPerSecond) {

    public static final TopicQuota UNLIMITED = new TopicQuota(null, null, null, null, null);
}
