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
 * @param generatedSecret whether the secret of the hosts is made up and kept there
 * @param sessionTimeout how long after the connection is lost the session, and with it all ownership, is
 * @param connectTimeout how long to wait for ZooKeeper at the start
 * @param tls what is spoken to servers elsewhere; null for clear text
 */
public record ZooKeeperConfig(
        @Nullable String connect,
        String root,
        Path embeddedDirectory,
        @Nullable String auth,
        GeneratedSecret generatedSecret,
        Duration sessionTimeout,
        Duration connectTimeout,
        @Nullable ZooKeeperTls tls) {

    /** What the operator can do about a secret that everybody can read. */
    static final String REMEDY =
            "Set zookeeper.auth=user:password, or the same peer.secret, of 16 characters or more, at all hosts; "
                    + "or, if only hosts reach ZooKeeper, zookeeper.allow-open-secret=true.";

    /** In clear text. */
    public ZooKeeperConfig(
            @Nullable String connect,
            String root,
            Path embeddedDirectory,
            @Nullable String auth,
            GeneratedSecret generatedSecret,
            Duration sessionTimeout,
            Duration connectTimeout) {
        this(connect, root, embeddedDirectory, auth, generatedSecret, sessionTimeout, connectTimeout, null);
    }

    public ZooKeeperConfig {
        if (!root.matches("/[A-Za-z0-9._-]+(/[A-Za-z0-9._-]+)*")) {
            throw new IllegalArgumentException("zookeeper.root must be a path like /talos: " + root);
        }
        if (sessionTimeout.toMillis() < 1000) {
            throw new IllegalArgumentException("zookeeper.session-timeout must be at least 1s: " + sessionTimeout);
        }
        if (generatedSecret == GeneratedSecret.PROTECTED && connect != null && auth == null) {
            throw new IllegalArgumentException(
                    "Without zookeeper.auth everybody who reaches ZooKeeper could read the secret by which the "
                            + "hosts of the cluster know each other, and with it store, read and delete messages. "
                            + REMEDY);
        }
    }
}
