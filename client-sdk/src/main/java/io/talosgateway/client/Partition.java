package io.talosgateway.client;

import org.jspecify.annotations.Nullable;

/**
 * A partition with its offsets. All but the number is null while no host serves it.
 *
 * @param owner {@code host:port} of the host that serves it
 * @param logStartOffset first offset that is kept
 * @param logEndOffset offset that the next message will get
 * @param messageCount messages that can be read
 * @param storedBytes bytes stored
 */
public record Partition(
        int partition,
        @Nullable String owner,
        @Nullable Long logStartOffset,
        @Nullable Long logEndOffset,
        @Nullable Long messageCount,
        @Nullable Long storedBytes) {}
