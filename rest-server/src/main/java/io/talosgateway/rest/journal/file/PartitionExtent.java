package io.talosgateway.rest.journal.file;

import io.talosgateway.rest.topic.OwnerEpoch;
import io.talosgateway.rest.topic.TopicPartition;

/**
 * What of a partition is in one journal file, without its frames.
 *
 * @param epoch epoch of the owner that wrote it
 * @param endOffset offset after the last message
 * @param firstTimeMs append time of the first frame, epoch milliseconds
 * @param lastTimeMs append time of the last frame
 * @param bytes bytes of blocks
 * @param frames number of frames
 */
public record PartitionExtent(
        TopicPartition partition,
        OwnerEpoch epoch,
        long firstOffset,
        long endOffset,
        long firstTimeMs,
        long lastTimeMs,
        long bytes,
        int frames) {}
