package io.talosgateway.rest.partition;

import io.talosgateway.rest.topic.TopicId;

/**
 * What is known of a partition in a consumer group, or of a worker.
 *
 * @param partition {@link #NO_PARTITION} for a worker that holds none
 * @param worker the live worker that holds it; empty if none does
 * @param offset of the last message that was processed, or {@link #NOTHING_COMMITTED}
 */
public record GroupEntry(String group, TopicId topic, int partition, String worker, long offset) {

    public static final int NO_PARTITION = -1;

    public static final long NOTHING_COMMITTED = -1;

    public boolean hasPartition() {
        return partition != NO_PARTITION;
    }
}
