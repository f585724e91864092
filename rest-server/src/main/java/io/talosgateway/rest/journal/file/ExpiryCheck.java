package io.talosgateway.rest.journal.file;

import io.talosgateway.rest.topic.TopicPartition;

/** Whether it is worth asking for the record of a partition, of which a file has messages up to an offset and a time. */
@FunctionalInterface
public interface ExpiryCheck {
    boolean mayBeExpired(TopicPartition partition, long endOffset, long lastTimeMs);
}
