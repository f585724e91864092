package io.talosgateway.client;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * The answer to a get.
 *
 * @param messages in the order of their offsets; empty if there are none yet
 * @param nextOffset where to go on reading
 * @param logStartOffset first offset that is kept
 * @param logEndOffset offset that the next message will get; null if the gateway could not tell, and there are messages
 */
public record Messages(
        String topic,
        int partition,
        List<Message> messages,
        long nextOffset,
        long logStartOffset,
        @Nullable Long logEndOffset) {}
