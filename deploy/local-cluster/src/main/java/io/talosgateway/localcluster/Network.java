package io.talosgateway.localcluster;

import java.util.random.RandomGenerator;

/**
 * Names and addresses in the network of a cluster: a bridge, and for each gateway a network namespace that a pair of links
 * joins to the bridge. All other hosts are at the bridge's address. Names of links have 15 characters at most.
 *
 * @param prefix first three numbers of all addresses, such as {@code 10.201.7}
 */
record Network(String clusterId, String prefix) {

    /** What the link of a gateway is called in its namespace. */
    static final String INNER_LINK = "eth0";

    private static final String NAMESPACES = "/var/run/netns/";
    private static final int ID_CHARACTERS = 10;
    private static final int FIRST_GATEWAY = 10;

    // Bits that the addresses of one cluster have in common.
    private static final int LENGTH = 24;
    private static final int NUMBERS = 256;
    private static final int MOST_TRIES = 200;

    /** Says whether the machine has no route to addresses such as {@code 10.201.7.0/24}, but that to everything. */
    interface Routes {
        boolean areNone(String addresses) throws InterruptedException;
    }

    /**
     * A prefix of private addresses that lead nowhere yet: any from 10.200.0 to 10.249.255, or from 192.168.0 to 192.168.255.
     *
     * @throws ClusterFailure if many tries find none
     */
    static String freePrefix(RandomGenerator random, Routes routes) throws InterruptedException {
        for (int tried = 0; tried < MOST_TRIES; tried++) {
            String first = random.nextBoolean() ? "10." + random.nextInt(200, 250) : "192.168";
            String prefix = first + "." + random.nextInt(NUMBERS);
            if (routes.areNone(prefix + ".0/" + LENGTH)) {
                return prefix;
            }
        }
        throw new ClusterFailure(
                "The machine has routes to all addresses from 10.200.0.0 to 10.249.255.255 and from 192.168.0.0 to "
                        + "192.168.255.255, or to nearly all, so none are left for --networks; leave it out");
    }

    String bridge() {
        return "tl" + clusterId.substring(0, Math.min(ID_CHARACTERS, clusterId.length()));
    }

    /** Of a gateway: both its namespace and the end of its link that is on the bridge. */
    String name(Host gateway) {
        return bridge() + "-" + gateway.number();
    }

    /** Whether a namespace or link is this cluster's. */
    boolean owns(String name) {
        return name.equals(bridge()) || name.startsWith(bridge() + "-");
    }

    /** The file that stands for a gateway's namespace. */
    String namespaceFile(Host gateway) {
        return NAMESPACES + name(gateway);
    }

    static boolean hasOwnNamespace(Host host) {
        return host.is(HostKind.GATEWAY);
    }

    String address(Host host) {
        return prefix + "." + (hasOwnNamespace(host) ? FIRST_GATEWAY + host.number() : 1);
    }

    String addressWithLength(Host host) {
        return address(host) + "/" + LENGTH;
    }
}
