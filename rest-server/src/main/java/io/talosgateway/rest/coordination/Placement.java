package io.talosgateway.rest.coordination;

import java.util.List;
import java.util.Optional;

/**
 * The hosts among which the partitions are divided. Who gets which follows from it alone: every host finds the same.
 *
 * @param hosts in order of name
 */
public record Placement(List<PlacedHost> hosts) {

    /** Of a cluster that has no hosts yet. */
    public static final Placement EMPTY = new Placement(List.of());

    public Placement {
        hosts = List.copyOf(hosts);
    }

    /** A host that has partitions. */
    public record PlacedHost(String name, Presence presence) {}

    /** Whether a host is there. */
    public enum Presence {
        PRESENT,
        /** It vanished; its partitions wait for it for a short time. */
        ABSENT,
        /** It announced a restart; its partitions wait for it for a longer time. */
        RESTARTING
    }

    public Optional<PlacedHost> find(String host) {
        return hosts.stream().filter(placed -> placed.name().equals(host)).findAny();
    }
}
