package io.talosgateway.verifier;

/**
 * The topics of a run, whose partitions are numbered together.
 *
 * @param topic of the first partitions
 * @param kept how many these are; the others are those of a second topic, whose messages expire soon
 */
record Namespace(String topic, int kept) {

    String expiringTopic() {
        return topic + "-expiring";
    }

    boolean expires(int partition) {
        return partition >= kept;
    }

    /** The number of a partition in its topic. */
    int number(int partition) {
        return expires(partition) ? partition - kept : partition;
    }

    /** Of a partition, on the REST interface. */
    String path(int partition) {
        return topicPath(expires(partition) ? expiringTopic() : topic) + "/partitions/" + number(partition);
    }

    static String topicPath(String topic) {
        return "/v1/topics/" + topic;
    }
}
