package io.talosgateway.rest.forwarding;

/**
 * A host as others reach it.
 *
 * @param host its name in the cluster
 * @param incarnation which life of it is meant
 * @param address {@code host:port} of its peer port
 */
public record Peer(String host, long incarnation, String address) {

    @Override
    public String toString() {
        return host + " (incarnation " + incarnation + " at " + address + ")";
    }
}
