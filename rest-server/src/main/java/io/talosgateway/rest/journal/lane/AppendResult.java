package io.talosgateway.rest.journal.lane;

import io.talosgateway.rest.topic.Durability;

/**
 * Where and how an append was stored.
 *
 * @param firstOffset offset of its first message
 * @param appendTimestampMs when it was appended, epoch milliseconds
 * @param durability what it has survived, at least
 */
public record AppendResult(long firstOffset, int messageCount, long appendTimestampMs, Durability durability) {}
