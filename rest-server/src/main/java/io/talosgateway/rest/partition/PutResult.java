package io.talosgateway.rest.partition;

import io.talosgateway.rest.topic.Durability;

/**
 * Where and how a put was stored.
 *
 * @param firstOffset offset of its first message
 * @param appendTimestampMs when it was appended, epoch milliseconds
 * @param durability what it has survived, at least
 * @param repeat whether it repeats an earlier put and nothing was stored again
 * @param forwarded whether another host, the owner, has stored it
 */
public record PutResult(
        int partition,
        long firstOffset,
        int messageCount,
        long appendTimestampMs,
        Durability durability,
        boolean repeat,
        boolean forwarded) {}
