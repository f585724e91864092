package io.talosgateway.client;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import org.jspecify.annotations.Nullable;

/**
 * The limits of a topic, or of all topics of an owner together, and what is used of them.
 *
 * @param topic whose they are; null for those of an owner
 * @param owner whose they are; null for those of a topic
 * @param appliedPartitions what the owner has applied for; null for nothing
 * @param usedTopics topics of the owner; null for the quota of a topic
 * @param usedPartitions partitions of the owner; null for the quota of a topic
 * @param usedBytes stored bytes; null in lists, and while a partition is not served
 */
public record Quota(
        @Nullable String topic,
        @Nullable String owner,
        @JsonUnwrapped QuotaLimits limits,
        @Nullable Integer appliedPartitions,
        @Nullable Integer usedTopics,
        @Nullable Integer usedPartitions,
        @Nullable Long usedBytes) {}
