package io.talosgateway.localcluster;

import java.util.Map;
import java.util.Random;
import java.util.Set;

/** Clusters for tests. */
final class Clusters {

    private Clusters() {}

    static Cluster of(int gateways, int dataNodes, Map<String, String> settings) {
        ClusterShape shape = new ClusterShape(gateways, dataNodes, null, "320m", settings);
        return new Cluster("0123456789abcdef", shape, Map.of(), "secret").reshaped(shape, Clusters::ports);
    }

    static FreePorts ports(Set<Integer> taken) {
        return new FreePorts(taken, new Random(1), port -> true);
    }
}
