package io.talosgateway.rest.coordination.zookeeper;

import java.nio.file.Path;
import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * How to reach ZooKeeper.
 *
 * @param connect {@code host:port,host:port}, or null to run a server inside this process
 * @param root path under which everything is
 * @param embeddedDirectory where the embedded server keeps its data
 * @param auth {@code user:password} for digest authentication, or null; everything is created for that user alone
 * @param sessionTimeout how long after the connection is lost the session, and with it all ownership, is
 * @param connectTimeout how long to wait for ZooKeeper at the start
 */
public record ZooKeeperConfig(
        @Nullable String connect,
        String root,
        Path embeddedDirectory,
        @Nullable String auth,
        Duration sessionTimeout,
        Duration connectTimeout) {

    public ZooKeeperConfig {
        if (!root.matches("/[A-Za-z0-9._-]+(/[A-Za-z0-9._-]+)*")) {
            throw new IllegalArgumentException("zookeeper.root must be a path like /talos: " + root);
        }
        if (sessionTimeout.toMillis() < 1000) {
            throw new IllegalArgumentException("zookeeper.session-timeout must be at least 1s: " + sessionTimeout);
        }
    }
}
