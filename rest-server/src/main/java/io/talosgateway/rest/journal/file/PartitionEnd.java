package io.talosgateway.rest.journal.file;

import io.talosgateway.rest.topic.OwnerEpoch;
import io.talosgateway.rest.topic.TopicPartition;

/**
 * Where a partition ended when its lane went on to a new file. Frames of earlier files at or above the end are void: they
 * were written but never acknowledged.
 *
 * @param endOffset offset of the next message
 * @param totalBytes bytes of blocks ever stored in the partition
 */
public record PartitionEnd(TopicPartition partition, OwnerEpoch epoch, long endOffset, long totalBytes) {}
