package io.talosgateway.loadgen.plan;

import java.util.List;

/**
 * Which partition each client of a process is bound to. The clients go through the partitions of the topic that the process
 * begins with, then through those of the next topic, and from the last topic on to the first. Process {@code k} begins with
 * topic {@code k mod topics}.
 *
 * @param partitions used of each topic
 */
public record Spread(List<String> topics, int partitions, int process) {

    /** @param partition from 0 */
    public record Place(String topic, int partition) {}

    Place of(int client) {
        String topic = topics.get((process + client / partitions) % topics.size());
        return new Place(topic, client % partitions);
    }
}
