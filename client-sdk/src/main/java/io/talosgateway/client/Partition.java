package io.talosgateway.client;

import org.jspecify.annotations.Nullable;

/**
 * A partition with its offsets. All but the number is null while no host serves it.
 *
 * @param owner where the host that serves it is reached: {@code host:port}, or {@code https://host:port} if it speaks TLS only
 * @param logStartOffset first offset that is kept
 * @param logEndOffset offset that the next message will get
 * @param messageCount messages that can be read
 * @param storedBytes bytes stored
 * @param fencingToken which writer may put with its token; null also if none ever had one
 */
public record Partition(
        int partition,
        @Nullable String owner,
        @Nullable Long logStartOffset,
        @Nullable Long logEndOffset,
        @Nullable Long messageCount,
        @Nullable Long storedBytes,
        @Nullable String fencingToken) {}
