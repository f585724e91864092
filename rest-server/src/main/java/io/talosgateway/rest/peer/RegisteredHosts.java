package io.talosgateway.rest.peer;

/** Which hosts the cluster has. Does not block. */
@FunctionalInterface
public interface RegisteredHosts {

    /** Whether the host is alive in this incarnation, as far as is known here. */
    boolean isAlive(String host, long incarnation);
}
