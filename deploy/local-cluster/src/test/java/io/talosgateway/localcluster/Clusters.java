package io.talosgateway.localcluster;

import java.util.Map;
import java.util.Random;

import org.jspecify.annotations.Nullable;

/** Clusters for tests. */
final class Clusters {

    private Clusters() {}

    static RunningCluster of(int gateways, int dataNodes, Map<String, String> settings) {
        return of(new ClusterShape(gateways, dataNodes, "320m", settings), null);
    }

    static RunningCluster withNetworks(int gateways, int dataNodes) {
        return of(new ClusterShape(gateways, dataNodes, "320m", Map.of()), "10.201.7");
    }

    private static RunningCluster of(ClusterShape shape, @Nullable String networkPrefix) {
        RunningCluster made = RunningCluster.make(shape, networkPrefix, new Random(1), port -> true);
        return new RunningCluster("0123456789abcdef", shape, made.ports(), "secret", networkPrefix);
    }
}
