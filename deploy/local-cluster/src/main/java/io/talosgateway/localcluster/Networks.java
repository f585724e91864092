package io.talosgateway.localcluster;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/**
 * Makes and takes away the network of a cluster, and cuts gateways off. What there is, is read from the system each time. Of
 * a cluster on loopback there is nothing to make or to take away.
 */
final class Networks {

    private final RunningCluster cluster;
    private final @Nullable Network network;

    Networks(RunningCluster cluster) {
        this.cluster = cluster;
        this.network = cluster.network();
    }

    /** Chooses addresses; makes nothing. */
    static String choose(RandomGenerator random) throws InterruptedException {
        try {
            return FreeNetworks.find(Ip.run("-o", "-4", "route", "show", "table", "all"), random);
        } catch (ClusterFailure e) {
            throw notPossible(e);
        }
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
        if (!linkNames().contains(bridge)) {
            Ip.run("link", "add", bridge, "type", "bridge");
        }
        // Repeatable, so that one that was half made is made whole.
        Ip.run("address", "replace", network.addressWithLength(Host.NAMENODE), "dev", bridge);
        Ip.run("link", "set", bridge, "up");
    }

    private static void makeNamespace(Network network, Host gateway) throws InterruptedException {
        String name = network.name(gateway);
        if (isWhole(network, gateway)) {
            return;
        }
        removeNamespace(name);
        Ip.run("netns", "add", name);
        Ip.run("link", "add", name, "type", "veth", "peer", "name", Network.INNER_LINK, "netns", name);
        Ip.run("-n", name, "address", "add", network.addressWithLength(gateway), "dev", Network.INNER_LINK);
        Ip.run("-n", name, "link", "set", "lo", "up");
        Ip.run("-n", name, "link", "set", Network.INNER_LINK, "up");
        // Last, so that what has a master is whole.
        Ip.run("link", "set", name, "up");
        Ip.run("link", "set", name, "master", network.bridge());
    }

    private static boolean isWhole(Network network, Host gateway) throws InterruptedException {
        String name = network.name(gateway);
        return namespaces().contains(name)
                && Link.parse(Ip.run("-o", "link", "show", "master", network.bridge())).stream()
                        .anyMatch(link -> link.name().equals(name));
    }

    /** Takes away whatever is this cluster's; nothing may be. */
    void remove() throws InterruptedException {
        if (network == null) {
            return;
        }
        Set<String> names = new TreeSet<>(namespaces());
        names.addAll(linkNames());
        names.removeIf(name -> !network.owns(name) || name.equals(network.bridge()));
        for (String name : names) {
            removeNamespace(name);
        }
        if (linkNames().contains(network.bridge())) {
            Ip.run("link", "delete", network.bridge());
        }
    }

    private static void removeNamespace(String name) throws InterruptedException {
        if (linkNames().contains(name)) {
            Ip.run("link", "delete", name);
        }
        if (namespaces().contains(name)) {
            Ip.run("netns", "delete", name);
        }
    }

    /** @throws ClusterFailure if a host cannot be started since the machine has lost the network */
    void refuseIfMissing(Host host) throws InterruptedException {
        if (network == null) {
            return;
        }
        boolean there = Network.hasOwnNamespace(host)
                ? isWhole(network, host)
                : linkNames().contains(network.bridge());
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
        Set<String> down =
                links().stream().filter(link -> !link.up()).map(Link::name).collect(Collectors.toSet());
        return cluster.shape().hosts(HostKind.GATEWAY).stream()
                .filter(gateway -> down.contains(known.name(gateway)))
                .map(Host::name)
                .collect(Collectors.toSet());
    }

    /** Cuts a gateway off, or connects it again; does nothing if it is so already. */
    void setConnected(Network known, Host gateway, boolean connected) throws InterruptedException {
        refuseIfMissing(gateway);
        Ip.run("link", "set", known.name(gateway), connected ? "up" : "down");
    }

    private static List<Link> links() throws InterruptedException {
        return Link.parse(Ip.run("-o", "link", "show"));
    }

    private static List<String> linkNames() throws InterruptedException {
        return links().stream().map(Link::name).toList();
    }

    private static List<String> namespaces() throws InterruptedException {
        List<String> names = new ArrayList<>();
        for (String line : Ip.run("netns", "list")) {
            // NAME (id: 0)
            names.add(line.strip().replaceFirst("\\s.*", ""));
        }
        return names;
    }
}
