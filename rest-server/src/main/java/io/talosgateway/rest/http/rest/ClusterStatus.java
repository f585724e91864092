package io.talosgateway.rest.http.rest;

import java.util.List;
import java.util.Locale;

import com.fasterxml.jackson.annotation.JsonValue;
import org.jspecify.annotations.Nullable;

/**
 * The cluster, as far as one host knows.
 *
 * @param host the host that says this
 * @param incarnation of that host
 * @param serving whether that host serves; it may also be starting or stopping
 * @param controller whether that host writes the placement
 * @param connected whether that host has a connection to ZooKeeper; what it says may be old if it has none
 * @param topics topics of all owners, those of the gateway itself included
 * @param partitions partitions of these topics
 * @param served partitions that the host serves; those that it has in {@link #hosts} beyond that are just moving to it, or cannot be
 *     served
 * @param refused partitions that the host cannot serve, because stored messages are missing
 * @param hosts in order of name
 */
public record ClusterStatus(
        String host,
        long incarnation,
        boolean serving,
        boolean controller,
        boolean connected,
        int topics,
        int partitions,
        int served,
        int refused,
        List<Host> hosts) {

    /** What a host is about. */
    public enum State {
        /** It is alive and has partitions. */
        SERVING,
        /** It is alive and gets partitions soon. */
        JOINING,
        /** It is alive and gives its partitions away. */
        LEAVING,
        /** It said that it comes back soon; its partitions wait for it. */
        RESTARTING,
        /** It vanished; its partitions wait for it for a short time, and then move. */
        ABSENT;

        /** As it is in JSON. */
        @JsonValue
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * A host.
     *
     * @param endpoint where clients reach it; null while it is not alive
     * @param partitions that are to be served by it
     */
    public record Host(String name, State state, @Nullable String endpoint, int partitions) {}
}
