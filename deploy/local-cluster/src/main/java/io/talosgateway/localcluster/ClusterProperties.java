package io.talosgateway.localcluster;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

import io.talosgateway.rest.auth.AccessKey;

/** What other programs, such as {@code talos-loadgen verify}, read about the cluster: {@code cluster.properties}. */
final class ClusterProperties {

    private ClusterProperties() {}

    /** @param script the absolute path of {@code local-cluster.sh} */
    static Map<String, String> of(RunningCluster cluster, String script, AccessKey key) {
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put("cluster.script", script);
        properties.put("zookeeper.connect", cluster.zookeeperConnect());
        properties.put("storage.root", cluster.storageRoot());
        properties.put("networks", String.valueOf(cluster.network() != null));
        properties.put("gateways", names(cluster, HostKind.GATEWAY));
        properties.put("datanodes", names(cluster, HostKind.DATANODE));
        for (Host gateway : cluster.shape().hosts(HostKind.GATEWAY)) {
            properties.put(gateway + ".endpoint", cluster.endpoint(gateway));
            properties.put(gateway + ".ops", "http://" + cluster.address(gateway, "ops"));
        }
        properties.put("access.key-id", key.id());
        properties.put("access.secret", key.secret());
        return properties;
    }

    private static String names(RunningCluster cluster, HostKind kind) {
        return cluster.shape().hosts(kind).stream().map(Host::name).collect(Collectors.joining(","));
    }
}
