package io.talosgateway.loadgen.plan;

import java.util.List;

/**
 * Which of several client processes this is, and which partitions its clients are bound to.
 *
 * @param number from 0
 * @param of how many there are
 */
public record ProcessShare(int number, int of) {

    static final ProcessShare ALONE = new ProcessShare(0, 1);

    /** @param partition from 0 */
    public record Place(String topic, int partition) {}

    /**
     * Where a client puts or gets. The clients go through the partitions of the topic that the process begins with, then through
     * those of the next topic, and from the last topic on to the first. Process {@code k} begins with topic {@code k mod topics}.
     *
     * @param partitions used of each topic
     */
    Place place(List<String> topics, int partitions, int client) {
        String topic = topics.get((number + client / partitions) % topics.size());
        return new Place(topic, client % partitions);
    }
}
