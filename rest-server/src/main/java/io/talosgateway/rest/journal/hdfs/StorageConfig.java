package io.talosgateway.rest.journal.hdfs;

import java.net.URI;
import java.time.Duration;
import java.util.Map;

/**
 * Where the journal's files are.
 *
 * @param root {@code file:///path} or {@code hdfs://namenode:port/path}
 * @param connectTimeout how long to wait for the storage at the start
 * @param fenceTimeout how long to wait until a file that another process had open is closed
 * @param hadoopOptions options of the Hadoop client, such as {@code dfs.replication}, over those of {@code core-site.xml}
 *     and {@code hdfs-site.xml} on the class path
 */
public record StorageConfig(
        URI root, Duration connectTimeout, Duration fenceTimeout, Map<String, String> hadoopOptions) {

    public StorageConfig {
        String scheme = root.getScheme();
        if (scheme == null || !(scheme.equals("file") || scheme.equals("hdfs"))) {
            throw new IllegalArgumentException(
                    "storage.root must start with file:// or hdfs://, such as file:///var/lib/talos or "
                            + "hdfs://namenode:8020/talos: " + root);
        }
        hadoopOptions = Map.copyOf(hadoopOptions);
    }

    boolean isLocal() {
        return "file".equals(root.getScheme());
    }
}
