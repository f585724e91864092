package io.talosgateway.localcluster;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.talosgateway.rest.bootstrap.GatewayConfig;

/** The configuration of a gateway of the cluster. Stateless. */
final class GatewaySettings {

    /** What the cluster decides itself. */
    private static final Set<String> RESERVED = Set.of(
            "host.name",
            "http.host",
            "http.port",
            "http.advertise",
            "ops.host",
            "ops.port",
            "peer.host",
            "peer.port",
            "peer.advertise",
            "peer.secret",
            "data.directory",
            "storage.root",
            "zookeeper.connect",
            "auth.key-file");

    private GatewaySettings() {}

    /**
     * Checks the settings of a shape as a gateway would.
     *
     * @throws IllegalArgumentException with a sentence for the user
     * @throws io.talosgateway.rest.bootstrap.ConfigException with a sentence for the user
     */
    static void check(ClusterShape shape) {
        List<String> reserved = shape.settings().keySet().stream()
                .filter(RESERVED::contains)
                .sorted()
                .toList();
        if (!reserved.isEmpty()) {
            throw new IllegalArgumentException("--set cannot change %s: every gateway of the cluster has its own"
                    .formatted(String.join(", ", reserved)));
        }
        GatewayConfig.refuseSecrets(shape.settings());
        GatewayConfig.of(shape.settings());
    }

    static Map<String, String> of(RunningCluster cluster, ClusterFolder folder, Host gateway) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("host.name", gateway.name());
        for (String purpose : gateway.kind().ports()) {
            settings.put(purpose + ".host", cluster.ip(gateway));
            settings.put(purpose + ".port", String.valueOf(cluster.port(gateway, purpose)));
        }
        settings.put("peer.secret", cluster.peerSecret());
        settings.put("data.directory", folder.data(gateway).toString());
        settings.put("auth.key-file", folder.keyFile().toString());
        settings.put("storage.root", cluster.storageRoot());
        settings.put("zookeeper.connect", cluster.zookeeperConnect());
        // For tests of retention that take minutes.
        settings.put("topic.min-retention", "1s");
        // Gateways that start together would keep each other from the processors.
        settings.put("warm-up.time", "0s");
        settings.putAll(cluster.shape().settings());
        return settings;
    }
}
