package io.talosgateway.rest.statelog;

import java.util.concurrent.CompletableFuture;

import io.talosgateway.rest.topic.TopicMetadata;
import io.talosgateway.rest.topic.TopicName;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.rest.topicadmin.TopicAdminService;
import io.talosgateway.scheduler.Deadline;

/**
 * A topic of the gateway itself whose partitions hold states. Safe for use by any thread; does not block.
 *
 * @param name a reserved one
 */
public record StateTopic(TopicName name, TopicAdminService topics) {

    /** Can never be changed. */
    private static final int PARTITIONS = 16;

    /** The topic; it is created when it is asked for first. */
    public CompletableFuture<TopicMetadata> find(Deadline deadline) {
        return topics.findOrCreate(name, PARTITIONS, deadline);
    }

    /** The partition that holds what has this hash. */
    public static TopicPartition partition(TopicMetadata topic, int hash) {
        // Names that differ in the last characters only have hashes that differ in the last bits only.
        return topic.partition(Math.floorMod(hash ^ (hash >>> 16) * 31, topic.partitions()));
    }
}
