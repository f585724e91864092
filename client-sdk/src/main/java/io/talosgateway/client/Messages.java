package io.talosgateway.client;

import java.util.List;

/**
 * The answer to a get.
 *
 * @param messages in the order of their offsets; empty if there are none yet
 * @param nextOffset where to go on reading
 * @param logStartOffset first offset that is kept
 * @param logEndOffset offset that the next message will get
 */
public record Messages(
        String topic, int partition, List<Message> messages, long nextOffset, long logStartOffset, long logEndOffset) {}
