package io.talosgateway.rest.coordination;

/** The hosts of the cluster. Methods block. Safe for use by any thread. */
public interface Hosts {

    /** What a host tells the others. */
    record HostInfo(String name, long incarnation, String endpoint) {}

    /**
     * A number for a new incarnation of the host, higher than any before.
     *
     * @throws io.talosgateway.rest.errors.GatewayException {@code COORDINATION_UNAVAILABLE}
     */
    long nextIncarnation(String host);

    /**
     * Makes the host known for as long as this process's session lives.
     *
     * @throws HostExistsException if another process of that name is alive
     * @throws io.talosgateway.rest.errors.GatewayException {@code COORDINATION_UNAVAILABLE}
     */
    void register(HostInfo host) throws HostExistsException;

    /** Takes the host back. */
    void unregister(String host);

    /** Has {@code listener} called, on a thread of the coordination, each time the session has ended and a new one began. */
    void onNewSession(Runnable listener);

    /** False while there is no connection; what was agreed on still holds until the session ends. */
    boolean isConnected();
}
