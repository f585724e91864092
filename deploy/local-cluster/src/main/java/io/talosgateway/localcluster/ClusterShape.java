package io.talosgateway.localcluster;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;

/**
 * What a cluster consists of.
 *
 * @param gatewayHeap size of a gateway's heap, as the JVM takes it, such as {@code 320m}
 * @param settings of all gateways, by key
 */
@JsonIgnoreProperties(ignoreUnknown = true)
record ClusterShape(int gateways, int dataNodes, String gatewayHeap, Map<String, String> settings) {

    static final ClusterShape DEFAULT = new ClusterShape(4, 3, "320m", Map.of());

    private static final int MOST = 16;
    private static final int MOST_REPLICAS = 3;

    /** @throws IllegalArgumentException with a sentence for the user */
    ClusterShape {
        check(gateways >= 1 && gateways <= MOST, "--gateways must be 1 to " + MOST + ": " + gateways);
        check(dataNodes >= 1 && dataNodes <= MOST, "--datanodes must be 1 to " + MOST + ": " + dataNodes);
        check(
                gatewayHeap.matches("[1-9][0-9]*[mMgG]"),
                "--gateway-heap must be a size like 320m or 1g: " + gatewayHeap);
        settings = Map.copyOf(settings);
    }

    private static void check(boolean condition, String sentence) {
        if (!condition) {
            throw new IllegalArgumentException(sentence);
        }
    }

    int replication() {
        return Math.min(MOST_REPLICAS, dataNodes);
    }

    /** All hosts, in the order in which they are started. */
    List<Host> hosts() {
        return Stream.of(
                        Stream.of(Host.ZOOKEEPER, Host.NAMENODE),
                        IntStream.rangeClosed(1, dataNodes).mapToObj(Host::dataNode),
                        IntStream.rangeClosed(1, gateways).mapToObj(Host::gateway))
                .flatMap(hosts -> hosts)
                .toList();
    }

    List<Host> hosts(HostKind kind) {
        return hosts().stream().filter(host -> host.is(kind)).toList();
    }

    /** @throws ClusterFailure if there is no such host; it lists those that there are */
    Host host(String name) {
        return hosts().stream()
                .filter(host -> host.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new ClusterFailure("There is no host '%s' in this cluster; there are %s"
                        .formatted(name, hosts().stream().map(Host::name).collect(Collectors.joining(", ")))));
    }
}
