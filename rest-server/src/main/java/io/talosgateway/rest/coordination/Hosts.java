package io.talosgateway.rest.coordination;

import java.util.Map;

/** The hosts of the cluster. Methods block, unless said otherwise. Safe for use by any thread. */
public interface Hosts {

    /**
     * A number for a new incarnation of the host, higher than any before.
     *
     * @param known the highest number known from elsewhere; ZooKeeper may have been restored from an old copy
     * @throws io.talosgateway.rest.errors.GatewayException {@code COORDINATION_UNAVAILABLE}
     */
    long nextIncarnation(String host, long known);

    /**
     * Makes the host known for as long as this process's session lives. The lease of an earlier registration ends.
     *
     * @return the lease of this registration
     * @throws HostExistsException if another process of that name is alive
     * @throws io.talosgateway.rest.errors.GatewayException {@code COORDINATION_UNAVAILABLE}
     */
    ReadLease register(HostInfo host) throws HostExistsException;

    /**
     * Tells what a registered host is about to do.
     *
     * @throws io.talosgateway.rest.errors.GatewayException {@code COORDINATION_UNAVAILABLE}
     */
    void announce(HostInfo host);

    /** Takes the host back. */
    void unregister(String host);

    /**
     * Whether the session of a host's incarnation, which was registered once, has ended for sure: then it holds no read lease and
     * never will.
     *
     * @throws io.talosgateway.rest.errors.GatewayException {@code COORDINATION_UNAVAILABLE} if it cannot be told
     */
    boolean isGone(String host, long incarnation);

    /** The hosts that are alive, by name, as far as is known here. Does not block. */
    Map<String, HostInfo> alive();

    /** Has {@code listener} called, on a thread of the coordination, each time {@link #alive} has changed. */
    void onChange(Runnable listener);

    /** Has {@code listener} called, on a thread of the coordination, each time the session has ended and a new one began. */
    void onNewSession(Runnable listener);

    /** False while there is no connection; what was agreed on still holds until the session ends. Does not block. */
    boolean isConnected();
}
