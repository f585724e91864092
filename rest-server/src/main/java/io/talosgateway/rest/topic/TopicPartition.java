package io.talosgateway.rest.topic;

/** The unit of order and ownership: partition {@code partition}, from 0, of one incarnation of a topic. */
public record TopicPartition(TopicId topic, int partition) implements Comparable<TopicPartition> {

    @Override
    public int compareTo(TopicPartition other) {
        int byTopic = topic.compareTo(other.topic);
        return byTopic != 0 ? byTopic : Integer.compare(partition, other.partition);
    }

    @Override
    public int hashCode() {
        // The topic id is random bits already.
        return Long.hashCode(topic.leastSignificant()) + 31 * partition;
    }

    @Override
    public String toString() {
        return topic + "/" + partition;
    }
}
