package io.talosgateway.rest.partition;

import io.talosgateway.rest.topic.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * A writer takes a partition: from then on puts with another token are refused.
 *
 * @param token of the new writer
 * @param replaces the token that the partition must have, or nothing is changed; null if it must have none
 */
public record FencingTokenChange(
        TopicPartition partition, String token, @Nullable String replaces) {}
