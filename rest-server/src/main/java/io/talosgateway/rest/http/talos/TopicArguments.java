package io.talosgateway.rest.http.talos;

import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.http.AuthorizedTopics;
import io.talosgateway.rest.topic.TopicMetadata;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.thrift.TopicAndPartition;
import io.talosgateway.thrift.TopicTalosResourceName;

/** The topics and partitions that calls name. */
record TopicArguments(AuthorizedTopics topics) {

    /**
     * The topic, if the caller may do with it what is called.
     *
     * @throws GatewayException {@code TOPIC_NOT_FOUND}, {@code PERMISSION_DENIED}
     */
    TopicMetadata find(TalosCall call, TopicTalosResourceName name) {
        return topics.findByResourceName(call.principal(), call.operation(), name.getTopicTalosResourceName());
    }

    TopicMetadata find(TalosCall call, TopicAndPartition asked) {
        TopicMetadata topic = find(call, asked.getTopicTalosResourceName());
        if (!topic.name().value().equals(asked.getTopicName())) {
            throw new GatewayException(
                    ErrorCode.TOPIC_NOT_FOUND,
                    "The resource name belongs to the topic '" + topic.name() + "', not '" + asked.getTopicName()
                            + "'.");
        }
        return topic;
    }

    static TopicPartition partition(TopicMetadata topic, TopicAndPartition asked) {
        return partition(topic, asked.getPartitionId());
    }

    /** @throws GatewayException {@code PARTITION_NOT_FOUND} */
    static TopicPartition partition(TopicMetadata topic, int partition) {
        if (!topic.hasPartition(partition)) {
            throw new GatewayException(
                    ErrorCode.PARTITION_NOT_FOUND,
                    "The topic '%s' has partitions 0 to %d, not %d."
                            .formatted(topic.name(), topic.partitions() - 1, partition));
        }
        return topic.partition(partition);
    }
}
