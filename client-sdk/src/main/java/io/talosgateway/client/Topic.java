package io.talosgateway.client;

import java.util.Map;

/**
 * A topic as the gateway describes it.
 *
 * @param resourceName identity of this incarnation: a topic deleted and created again has another
 * @param owner the principal that it belongs to
 * @param retentionMs how long messages are kept
 * @param createdAtMs epoch milliseconds
 */
public record Topic(
        String name,
        String resourceName,
        String owner,
        int partitions,
        long retentionMs,
        Map<String, String> attributes,
        long createdAtMs) {}
