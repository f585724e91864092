package io.talosgateway.client;

/**
 * The answer to a put: the messages have consecutive offsets.
 *
 * @param firstOffset offset of the first message
 * @param count number of messages
 * @param durability what they have survived at least: {@code disk} (forced on all replicas) or {@code memory} (held by all
 *     replicas)
 * @param repeat whether this repeats an earlier put, so that nothing was stored again
 * @param appendedAtMs by the gateway's clock, epoch milliseconds
 */
public record Stored(
        String topic,
        int partition,
        long firstOffset,
        int count,
        String durability,
        boolean repeat,
        long appendedAtMs) {}
