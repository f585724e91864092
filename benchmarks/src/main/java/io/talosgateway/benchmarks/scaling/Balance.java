package io.talosgateway.benchmarks.scaling;

import java.util.Arrays;
import java.util.Collection;

/**
 * How evenly partitions are divided among hosts, as multiples of the mean.
 *
 * @param worstTopic most that a host has of a topic, by its share: the topic's partitions by hosts, rounded up
 */
record Balance(double most, double p99, double least, double worstTopic) {

    private static final double HIGH = 0.99;

    /** @param hosts numbers of the hosts that are there */
    static Balance of(Assignment assignment, Collection<Integer> hosts) {
        int names = hosts.stream().mapToInt(Integer::intValue).max().orElse(0) + 1;
        int[] all = assignment.loads(names);
        int[] loads = hosts.stream().mapToInt(host -> all[host]).sorted().toArray();
        double mean = Arrays.stream(loads).average().orElse(1);
        double worstTopic = 0;
        int[] ofTopic = new int[names];
        for (int[] topic : assignment.owners()) {
            int most = 0;
            for (int owner : topic) {
                most = Math.max(most, ++ofTopic[owner]);
            }
            for (int owner : topic) {
                ofTopic[owner] = 0;
            }
            worstTopic = Math.max(worstTopic, most / Math.ceil((double) topic.length / hosts.size()));
        }
        return new Balance(
                loads[loads.length - 1] / mean,
                loads[(int) Math.ceil(loads.length * HIGH) - 1] / mean,
                loads[0] / mean,
                worstTopic);
    }
}
