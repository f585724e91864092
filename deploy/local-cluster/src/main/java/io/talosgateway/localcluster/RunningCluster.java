package io.talosgateway.localcluster;

import java.util.HashMap;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

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

    static final String LOOPBACK = "127.0.0.1";

    // Below those that systems give to outgoing connections: another program could else take the port of a host that is
    // down.
    private static final int FIRST_PORT = 20_000;
    private static final int PORTS = 10_000;

    /**
     * A new one, whose hosts have ports that are free. The search for ports begins at a random one, so that two clusters that
     * are made at once seldom choose the same.
     *
     * @throws ClusterFailure if too few are free
     */
    static RunningCluster make(
            ClusterShape shape, @Nullable String networkPrefix, RandomGenerator random, IntPredicate isFree) {
        int start = random.nextInt(PORTS);
        Iterator<Integer> free = IntStream.range(0, PORTS)
                .map(tried -> FIRST_PORT + (start + tried) % PORTS)
                .filter(isFree)
                .iterator();
        Map<String, Map<String, Integer>> ports = new LinkedHashMap<>();
        for (Host host : shape.hosts()) {
            Map<String, Integer> ofHost = new HashMap<>();
            for (String purpose : host.kind().ports()) {
                if (!free.hasNext()) {
                    throw new ClusterFailure(
                            "No port from %d to %d is free".formatted(FIRST_PORT, FIRST_PORT + PORTS - 1));
                }
                ofHost.put(purpose, free.next());
            }
            ports.put(host.name(), ofHost);
        }
        return new RunningCluster(randomHex(random, 8), shape, ports, randomHex(random, 24), networkPrefix);
    }

    private static String randomHex(RandomGenerator random, int bytes) {
        byte[] content = new byte[bytes];
        random.nextBytes(content);
        return HexFormat.of().formatHex(content);
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
