package io.talosgateway.localcluster;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * What a cluster consists of.
 *
 * @param lanes of a gateway's journal, or null for what the gateway chooses
 * @param gatewayHeap size of a gateway's heap, as the JVM takes it, such as {@code 320m}
 * @param settings of all gateways, by key
 */
record ClusterShape(
        int gateways, int dataNodes, @Nullable Integer lanes, String gatewayHeap, Map<String, String> settings) {

    static final ClusterShape DEFAULT = new ClusterShape(4, 3, null, "320m", Map.of());

    private static final int MOST = 16;
    private static final int MOST_REPLICAS = 3;

    /** @throws IllegalArgumentException with a sentence for the user */
    ClusterShape {
        check(gateways >= 1 && gateways <= MOST, "--gateways must be 1 to " + MOST + ": " + gateways);
        check(dataNodes >= 1 && dataNodes <= MOST, "--datanodes must be 1 to " + MOST + ": " + dataNodes);
        check(lanes == null || lanes >= 1, "--lanes must be positive: " + lanes);
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

    /** How many DataNodes hold a block. */
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

    /** In what this shape is unlike another; empty if in nothing. */
    List<String> differences(ClusterShape other) {
        List<String> differences = new ArrayList<>();
        note(differences, "gateways", gateways, other.gateways);
        note(differences, "DataNodes", dataNodes, other.dataNodes);
        note(differences, "lanes", lanes == null ? "default" : lanes, other.lanes == null ? "default" : other.lanes);
        note(differences, "heap of a gateway", gatewayHeap, other.gatewayHeap);
        note(differences, "settings", new TreeMap<>(settings), new TreeMap<>(other.settings));
        return differences;
    }

    private static void note(List<String> differences, String what, Object here, Object there) {
        if (!here.equals(there)) {
            differences.add("%s: %s instead of %s".formatted(what, there, here));
        }
    }
}
