package io.talosgateway.rest.journal.hdfs;

import java.net.URI;
import java.time.Duration;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Where the journal's files are.
 *
 * @param root {@code file:///path} or {@code hdfs://namenode:port/path}
 * @param connectTimeout how long to wait for the storage at the start
 * @param fenceTimeout how long to wait until a file that another process had open is closed. HDFS tries a recovery that has failed
 *     again after 30 heartbeats, 90 s by default
 * @param hadoopOptions options of the Hadoop client, such as {@code dfs.replication}, over those of {@code core-site.xml}
 *     and {@code hdfs-site.xml} on the class path
 * @param kerberos null if HDFS believes who the gateway says it is
 */
public record StorageConfig(
        URI root,
        Duration connectTimeout,
        Duration fenceTimeout,
        Map<String, String> hadoopOptions,
        @Nullable KerberosConfig kerberos) {

    public StorageConfig {
        String scheme = root.getScheme();
        if (scheme == null || !(scheme.equals("file") || scheme.equals("hdfs"))) {
            throw new IllegalArgumentException(
                    "storage.root must start with file:// or hdfs://, such as file:///var/lib/talos or "
                            + "hdfs://namenode:8020/talos: " + root);
        }
        if (kerberos != null && scheme.equals("file")) {
            throw new IllegalArgumentException(
                    "storage.kerberos.principal and storage.kerberos.keytab are for HDFS, but storage.root is " + root
                            + ": name an hdfs:// root, or remove them.");
        }
        hadoopOptions = Map.copyOf(hadoopOptions);
    }

    /** Without Kerberos. */
    public StorageConfig(URI root, Duration connectTimeout, Duration fenceTimeout, Map<String, String> hadoopOptions) {
        this(root, connectTimeout, fenceTimeout, hadoopOptions, null);
    }

    /** The same in a folder of it. */
    public StorageConfig inFolder(String name) {
        return new StorageConfig(URI.create(root + "/" + name), connectTimeout, fenceTimeout, hadoopOptions, kerberos);
    }

    /** Whether messages are on a disk of this host. */
    public boolean isLocal() {
        return "file".equals(root.getScheme());
    }
}
