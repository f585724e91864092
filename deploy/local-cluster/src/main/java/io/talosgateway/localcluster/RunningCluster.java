package io.talosgateway.localcluster;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import org.jspecify.annotations.Nullable;

/**
 * What is remembered of a cluster from one command to the next.
 *
 * @param id marks its processes
 * @param ports by host and purpose; they stay the same, so that a host comes back at its address
 * @param peerSecret with which the gateways know each other
 * @param networkPrefix first numbers of the addresses, if gateways have networks of their own; null on loopback
 */
@JsonIgnoreProperties(ignoreUnknown = true)
record RunningCluster(
        String id,
        ClusterShape shape,
        Map<String, Map<String, Integer>> ports,
        String peerSecret,
        @Nullable String networkPrefix) {

    private static final String LOOPBACK = "127.0.0.1";

    /** The same cluster in another shape: new hosts get ports, those of hosts that are gone are forgotten. */
    RunningCluster reshaped(ClusterShape other, Function<Set<Integer>, FreePorts> freePorts) {
        Set<Integer> taken = ports.values().stream()
                .flatMap(of -> of.values().stream())
                .collect(Collectors.toCollection(HashSet::new));
        FreePorts free = freePorts.apply(taken);
        Map<String, Map<String, Integer>> all = new LinkedHashMap<>();
        for (Host host : other.hosts()) {
            Map<String, Integer> ofHost = new HashMap<>(ports.getOrDefault(host.name(), Map.of()));
            host.kind().ports().forEach(purpose -> ofHost.computeIfAbsent(purpose, any -> free.next()));
            all.put(host.name(), ofHost);
        }
        return new RunningCluster(id, other, all, peerSecret, networkPrefix);
    }

    int port(Host host, String purpose) {
        Integer port = ports.getOrDefault(host.name(), Map.of()).get(purpose);
        if (port == null) {
            throw new IllegalArgumentException(host + " has no port for " + purpose);
        }
        return port;
    }

    /** Null if all hosts are on loopback. */
    @Nullable
    Network network() {
        return networkPrefix == null ? null : new Network(id, networkPrefix);
    }

    /** The address at which a host listens. */
    String ip(Host host) {
        Network network = network();
        return network == null ? LOOPBACK : network.address(host);
    }

    String address(Host host, String purpose) {
        return ip(host) + ":" + port(host, purpose);
    }

    String fileSystem() {
        return "hdfs://" + address(Host.NAMENODE, "rpc");
    }

    String storageRoot() {
        return fileSystem() + "/talos";
    }

    String zookeeperConnect() {
        return address(Host.ZOOKEEPER, "client");
    }

    /** What a host is reached at. */
    String endpoint(Host host) {
        return switch (host.kind()) {
            case ZOOKEEPER -> zookeeperConnect();
            case NAMENODE -> fileSystem();
            case DATANODE -> address(host, "data");
            case GATEWAY -> "http://" + address(host, "http");
        };
    }
}
