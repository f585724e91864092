package io.talosgateway.rest.hosting;

import io.talosgateway.rest.coordination.HostInfo;

/** Where a request for a partition goes. */
public sealed interface Route {

    /** This host serves it. */
    record Here(HostedPartition partition) implements Route {}

    /** Another host, which is alive, should. */
    record There(HostInfo owner) implements Route {}
}
