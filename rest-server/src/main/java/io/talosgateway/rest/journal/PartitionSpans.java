package io.talosgateway.rest.journal;

import java.util.List;

import io.talosgateway.rest.topic.TopicPartition;

/**
 * Where a partition's messages are.
 *
 * @param spans the journals that hold them, oldest first
 */
public record PartitionSpans(TopicPartition partition, List<JournalSpan> spans) {}
