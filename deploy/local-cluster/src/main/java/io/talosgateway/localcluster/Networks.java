package io.talosgateway.localcluster;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * Makes and takes away the network of a cluster, and cuts gateways off. What there is, is read from the system each time. Of
 * a cluster on loopback there is nothing to make or to take away.
 */
final class Networks {

    private static final Pattern LINK = Pattern.compile("\\d+:\\s+([^:@\\s]+)(?:@[^:\\s]+)?:\\s+<([^>]*)>.*");

    private final RunningCluster cluster;
    private final @Nullable Network network;

    Networks(RunningCluster cluster) {
        this.cluster = cluster;
        this.network = cluster.network();
    }

    /** Chooses addresses; makes nothing. */
    static String choose(RandomGenerator random) throws InterruptedException {
        try {
            return Network.freePrefix(random, Networks::leadNowhere);
        } catch (ClusterFailure e) {
            throw notPossible(e);
        }
    }

    /** Whether no route is to some of these addresses, or to more than these; that to everything does not count. */
    static boolean leadNowhere(String addresses) throws InterruptedException {
        List<String> routes = new ArrayList<>(ip("-o", "-4", "route", "show", "table", "all", "root", addresses));
        routes.addAll(ip("-o", "-4", "route", "show", "table", "all", "match", addresses));
        return routes.stream().allMatch(route -> route.startsWith("default "));
    }

    private static ClusterFailure notPossible(ClusterFailure reason) {
        return new ClusterFailure(
                ("There can be no networks for the gateways: %s. --networks needs Linux, 'ip' of iproute2, 'nsenter' of "
                                + "util-linux, and root, with the right to make network namespaces; get these, or leave out "
                                + "--networks")
                        .formatted(reason.getMessage()),
                reason);
    }

    /**
     * Makes what is missing; if that fails, takes all away.
     *
     * @throws ClusterFailure if the machine does not allow it
     */
    void make() throws InterruptedException {
        if (network == null) {
            return;
        }
        try {
            if (!ClusterHosts.isOnPath("nsenter")) {
                throw new ClusterFailure("'nsenter' is not on the PATH");
            }
            makeBridge(network);
            for (Host gateway : cluster.shape().hosts(HostKind.GATEWAY)) {
                makeNamespace(network, gateway);
            }
        } catch (ClusterFailure e) {
            ClusterFailure failure = notPossible(e);
            try {
                remove();
            } catch (ClusterFailure left) {
                failure.addSuppressed(left);
            }
            throw failure;
        }
    }

    private static void makeBridge(Network network) throws InterruptedException {
        String bridge = network.bridge();
        if (!links().containsKey(bridge)) {
            ip("link", "add", bridge, "type", "bridge");
        }
        // Repeatable, so that one that was half made is made whole.
        ip("address", "replace", network.addressWithLength(Host.NAMENODE), "dev", bridge);
        ip("link", "set", bridge, "up");
    }

    private static void makeNamespace(Network network, Host gateway) throws InterruptedException {
        String name = network.name(gateway);
        if (isWhole(network, gateway)) {
            return;
        }
        removeNamespace(name);
        ip("netns", "add", name);
        ip("link", "add", name, "type", "veth", "peer", "name", Network.INNER_LINK, "netns", name);
        ip("-n", name, "address", "add", network.addressWithLength(gateway), "dev", Network.INNER_LINK);
        ip("-n", name, "link", "set", "lo", "up");
        ip("-n", name, "link", "set", Network.INNER_LINK, "up");
        // Last, so that what has a master is whole.
        ip("link", "set", name, "up");
        ip("link", "set", name, "master", network.bridge());
    }

    private static boolean isWhole(Network network, Host gateway) throws InterruptedException {
        String name = network.name(gateway);
        return namespaces().contains(name)
                && links(ip("-o", "link", "show", "master", network.bridge())).containsKey(name);
    }

    /** Takes away whatever is this cluster's; nothing may be. */
    void remove() throws InterruptedException {
        if (network == null) {
            return;
        }
        Set<String> names = new TreeSet<>(namespaces());
        names.addAll(links().keySet());
        names.removeIf(name -> !network.owns(name) || name.equals(network.bridge()));
        for (String name : names) {
            removeNamespace(name);
        }
        if (links().containsKey(network.bridge())) {
            ip("link", "delete", network.bridge());
        }
    }

    private static void removeNamespace(String name) throws InterruptedException {
        if (links().containsKey(name)) {
            ip("link", "delete", name);
        }
        if (namespaces().contains(name)) {
            ip("netns", "delete", name);
        }
    }

    /** @throws ClusterFailure if a host cannot be started since the machine has lost the network */
    void refuseIfMissing(Host host) throws InterruptedException {
        if (network == null) {
            return;
        }
        boolean there = Network.hasOwnNamespace(host) ? isWhole(network, host) : links().containsKey(network.bridge());
        if (!there) {
            throw new ClusterFailure("The network of %s is gone, as after a restart of the machine; 'up' makes it again"
                    .formatted(host));
        }
    }

    /** Names of the gateways that are cut off. */
    Set<String> partitioned() throws InterruptedException {
        if (network == null) {
            return Set.of();
        }
        Network known = network;
        Map<String, Boolean> links = links();
        return cluster.shape().hosts(HostKind.GATEWAY).stream()
                .filter(gateway -> !links.getOrDefault(known.name(gateway), true))
                .map(Host::name)
                .collect(Collectors.toSet());
    }

    /** Cuts a gateway off, or connects it again; does nothing if it is so already. */
    void setConnected(Network known, Host gateway, boolean connected) throws InterruptedException {
        refuseIfMissing(gateway);
        ip("link", "set", known.name(gateway), connected ? "up" : "down");
    }

    private static Map<String, Boolean> links() throws InterruptedException {
        return links(ip("-o", "link", "show"));
    }

    /**
     * Names of links, and whether they are switched on.
     *
     * @param lines as {@code ip -o link} prints them, such as {@code 6: name@if7: <BROADCAST,UP> mtu 1500}
     */
    static Map<String, Boolean> links(List<String> lines) {
        Map<String, Boolean> links = new HashMap<>();
        for (String line : lines) {
            Matcher matcher = LINK.matcher(line.strip());
            if (matcher.matches()) {
                links.put(matcher.group(1), List.of(matcher.group(2).split(",")).contains("UP"));
            }
        }
        return links;
    }

    private static List<String> namespaces() throws InterruptedException {
        // NAME (id: 0)
        return ip("netns", "list").stream()
                .map(line -> line.strip().replaceFirst("\\s.*", ""))
                .toList();
    }

    /**
     * Runs {@code ip} of iproute2, and returns the lines that it prints.
     *
     * @throws ClusterFailure with what it says, if it fails or is not there
     */
    static List<String> ip(String... arguments) throws InterruptedException {
        List<String> words =
                Stream.concat(Stream.of("ip"), Stream.of(arguments)).toList();
        String line = String.join(" ", words);
        try {
            Process process =
                    new ProcessBuilder(words).redirectErrorStream(true).start();
            process.getOutputStream().close();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new ClusterFailure("'%s' failed: %s".formatted(line, output.strip()));
            }
            return output.lines().toList();
        } catch (IOException e) {
            throw new ClusterFailure("'%s' cannot be run: %s".formatted(line, e.getMessage()), e);
        }
    }
}
