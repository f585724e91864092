package io.talosgateway.localcluster;

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
        return address(host) + "/" + FreeNetworks.LENGTH;
    }
}
