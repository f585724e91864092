package io.talosgateway.client;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * How far a consumer group is on a topic.
 *
 * @param members ids of those that live
 * @param partitions all of the topic, in order
 */
public record ConsumerGroup(String topic, String group, List<String> members, List<Progress> partitions) {

    /**
     * How far it is on one partition.
     *
     * @param member who holds it; null if nobody does
     * @param nextOffset of the first message that is kept and not processed; null while the partition is not served
     * @param logEndOffset of the next message; null while the partition is not served
     * @param lag messages that are not processed; null while the partition is not served
     */
    public record Progress(
            int partition,
            @Nullable String member,
            @Nullable Long nextOffset,
            @Nullable Long logEndOffset,
            @Nullable Long lag) {}
}
