package io.talosgateway.rest.journal;

import io.talosgateway.rest.message.IdempotencyKey;
import io.talosgateway.rest.topic.TopicPartition;

/**
 * A stored put that had an idempotency key: what it takes to recognise a repeat of it.
 *
 * @param digest of its blocks
 * @param firstOffset offset of its first message
 * @param appendTimestampMs when it was appended, epoch milliseconds
 */
public record KeyedPut(
        TopicPartition partition,
        IdempotencyKey.Fingerprint key,
        long digest,
        long firstOffset,
        int messageCount,
        long appendTimestampMs) {}
