package io.talosgateway.rest.partition;

import io.talosgateway.rest.topic.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * What a partition that is served is like.
 *
 * @param owner where clients reach the host that serves it: {@code host:port}, or {@code https://host:port} if it speaks TLS
 *     only
 * @param logStartOffset offset of the first message that is kept
 * @param logEndOffset offset that the next message gets
 * @param storedBytes bytes of blocks in the storage, a little more than can be read
 * @param totalBytes bytes of blocks ever stored
 * @param fencingToken which writer may put with its token; null if none ever had one
 */
public record PartitionStatus(
        TopicPartition partition,
        String owner,
        long logStartOffset,
        long logEndOffset,
        long storedBytes,
        long totalBytes,
        @Nullable String fencingToken) {

    /** Messages that can be read. */
    public long messageCount() {
        return logEndOffset - logStartOffset;
    }
}
