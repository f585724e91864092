package io.talosgateway.rest.bootstrap;

import java.lang.management.ManagementFactory;

import com.sun.management.UnixOperatingSystemMXBean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Whether the process may open as many files and sockets as its configuration lets it. Stateless. */
public final class OpenFileLimit {

    private static final Logger log = LoggerFactory.getLogger(OpenFileLimit.class);

    /** For the program itself, files of the storage, ZooKeeper, DataNodes, and connections to other hosts. */
    private static final int RESERVED = 1_000;

    private OpenFileLimit() {}

    static void warnIfFew(GatewayConfig config) {
        String warning = warning(config);
        if (warning != null) {
            log.warn(warning);
        }
    }

    /** A sentence for the operator about the limit of this process, or null if it is enough, or nobody knows. */
    public static @Nullable String warning(GatewayConfig config) {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
                ? warning(system.getMaxFileDescriptorCount(), config)
                : null;
    }

    static @Nullable String warning(long limit, GatewayConfig config) {
        int clients = config.http().maxConnections();
        int hosts = config.isAlone()
                ? 0
                : config.peer().maxConnections() + config.peer().maxStrangers();
        long needed = (long) clients + hosts + RESERVED;
        return limit >= needed
                ? null
                : ("This process may open %d files and sockets, and may need %d: %d connections of clients (http.max-connections),"
                                + " %d of other hosts, and %d for everything else. When they run out, connections and files fail."
                                + " Raise the limit (ulimit -n, or LimitNOFILE of a systemd unit), or lower http.max-connections.")
                        .formatted(limit, needed, clients, hosts, RESERVED);
    }
}
