package io.talosgateway.client;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * The answer to a poll: messages of one partition that the group has not committed.
 *
 * @param partition whose messages these are; null if there are none
 * @param messages in the order of their offsets; empty if there are none yet, or no partition for this member
 * @param nextOffset what to commit when all of them are processed; null if there are none
 */
public record Polled(
        String topic,
        @Nullable Integer partition,
        List<Message> messages,
        @Nullable Long nextOffset) {

    public boolean isEmpty() {
        return messages.isEmpty();
    }
}
