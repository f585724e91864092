package io.talosgateway.rest.coordination;

/**
 * What topics take up.
 *
 * @param topics how many there are
 * @param partitions how many they have
 * @param bytes of their records
 */
public record TopicUsage(int topics, int partitions, long bytes) {

    public static final TopicUsage NONE = new TopicUsage(0, 0, 0);

    public TopicUsage plus(TopicUsage other) {
        return new TopicUsage(topics + other.topics, partitions + other.partitions, bytes + other.bytes);
    }

    public TopicUsage minus(TopicUsage other) {
        return new TopicUsage(topics - other.topics, partitions - other.partitions, bytes - other.bytes);
    }
}
