package io.talosgateway.rest.topicadmin;

import java.time.Duration;

/**
 * What topics may be like.
 *
 * @param defaultPartitions partitions of a topic that asks for no number
 * @param maxPartitions most partitions of a topic
 * @param defaultRetention retention of a topic that asks for none
 * @param minRetention shortest retention
 * @param maxRetention longest retention
 * @param limits how many there may be
 */
public record TopicConfig(
        int defaultPartitions,
        int maxPartitions,
        Duration defaultRetention,
        Duration minRetention,
        Duration maxRetention,
        TopicLimits limits) {

    public TopicConfig {
        if (defaultPartitions < 1 || defaultPartitions > maxPartitions) {
            throw new IllegalArgumentException("topic.default-partitions must be 1 to topic.max-partitions: "
                    + defaultPartitions + ", " + maxPartitions);
        }
        if (minRetention.toMillis() < 1
                || defaultRetention.compareTo(minRetention) < 0
                || maxRetention.compareTo(defaultRetention) < 0) {
            throw new IllegalArgumentException("topic.default-retention must be between topic.min-retention and "
                    + "topic.max-retention: " + defaultRetention + ", " + minRetention + ", " + maxRetention);
        }
    }
}
