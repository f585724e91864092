package io.talosgateway.rest.topicadmin;

import io.talosgateway.rest.coordination.TopicRegistry;
import io.talosgateway.rest.coordination.TopicUsage;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.topic.OwnerQuota;
import io.talosgateway.rest.topic.PartitionQuota;
import io.talosgateway.rest.topic.TopicMetadata;

/**
 * How many topics and partitions there may be, for which every host has memory and ZooKeeper has nodes. Compared with what this host
 * knows: each creation that is under way anywhere at the same time may exceed a limit by one topic. What exceeds a limit already
 * stays.
 *
 * @param topics most topics of the cluster
 * @param topicsPerOwner most topics of one owner whose quota says nothing else; administrators may give it more
 * @param partitions most partitions of all topics
 * @param partitionsPerOwner most partitions of the topics of one owner whose quota says nothing else; administrators may give it more
 */
public record TopicLimits(int topics, int topicsPerOwner, int partitions, int partitionsPerOwner) {

    /** A record with few attributes has 300 bytes; one may have 64 KiB, all together not. */
    private static final long MEAN_RECORD_BYTES = 1 << 10;

    private static final long LARGEST_RECORD_BYTES = 64 << 10;

    public TopicLimits {
        if (topics < 1 || topicsPerOwner < 1 || topicsPerOwner > topics) {
            throw new IllegalArgumentException(
                    "topic.max-topics-per-owner must be 1 to topic.max-topics: " + topicsPerOwner + ", " + topics);
        }
        if (partitions < 1 || partitionsPerOwner < 1 || partitionsPerOwner > partitions) {
            throw new IllegalArgumentException(
                    "topic.max-partitions-per-owner must be 1 to topic.max-partitions-total: " + partitionsPerOwner
                            + ", " + partitions);
        }
    }

    /** How many topics an owner with this quota may have. */
    int topicsOf(OwnerQuota quota) {
        Integer own = quota.topics();
        return own == null ? topicsPerOwner : own;
    }

    /** How many partitions the topics of an owner with this quota may have. */
    int partitionsOf(OwnerQuota quota) {
        PartitionQuota granted = quota.granted();
        return granted == null ? partitionsPerOwner : granted.total();
    }

    /**
     * @param quota of the topic's owner
     * @throws GatewayException {@code TOPIC_LIMIT_REACHED}
     */
    void requireRoomForTopic(TopicRegistry registry, OwnerQuota quota, TopicMetadata topic, boolean byAdmin) {
        TopicUsage usage = registry.usage();
        require(
                usage.topics() < topics,
                "The cluster has %d topics; no more than %d are allowed (topic.max-topics)"
                        .formatted(usage.topics(), topics));
        requireBytes("The cluster", usage.bytes(), topics);
        if (!byAdmin) {
            TopicUsage owned = registry.usage(topic.ownerId());
            int most = topicsOf(quota);
            require(
                    owned.topics() < most,
                    "The owner of the topic has %d topics; no more than %d are allowed (%s)"
                            .formatted(
                                    owned.topics(),
                                    most,
                                    quota.topics() == null ? "topic.max-topics-per-owner" : "its quota"));
            requireBytes("The owner of the topic", owned.bytes(), most);
        }
        requireRoomForPartitions(registry, quota, topic, topic.partitions(), byAdmin);
    }

    /**
     * @param quota of the topic's owner
     * @param more how many of the topic's partitions are new
     * @throws GatewayException {@code TOPIC_LIMIT_REACHED}
     */
    void requireRoomForPartitions(
            TopicRegistry registry, OwnerQuota quota, TopicMetadata topic, int more, boolean byAdmin) {
        if (more <= 0) {
            return;
        }
        int all = registry.usage().partitions();
        require(
                all + more <= partitions,
                "The cluster has %d partitions; with %d more, there would be more than %d (topic.max-partitions-total)"
                        .formatted(all, more, partitions));
        int owned = registry.usage(topic.ownerId()).partitions();
        int most = partitionsOf(quota);
        require(
                byAdmin || owned + more <= most,
                "The owner of the topic has %d partitions; with %d more, it would have more than %d (%s)"
                        .formatted(
                                owned,
                                more,
                                most,
                                quota.granted() == null ? "topic.max-partitions-per-owner" : "its quota"));
    }

    private static void requireBytes(String whose, long bytes, int mostTopics) {
        long most = LARGEST_RECORD_BYTES + mostTopics * MEAN_RECORD_BYTES;
        require(
                bytes < most,
                "%s has topics whose records, with attributes and permissions, have %d bytes; no more topics are allowed beyond %d"
                        .formatted(whose, bytes, most));
    }

    private static void require(boolean condition, String message) {
        if (!condition) {
            throw new GatewayException(
                    ErrorCode.TOPIC_LIMIT_REACHED,
                    message + ". Delete topics that are not needed, or ask an administrator.");
        }
    }
}
