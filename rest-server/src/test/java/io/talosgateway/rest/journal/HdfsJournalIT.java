package io.talosgateway.rest.journal;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

import io.talosgateway.rest.journal.hdfs.HadoopJournalStorage;
import io.talosgateway.rest.journal.hdfs.HdfsCluster;
import io.talosgateway.rest.journal.hdfs.StorageConfig;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** On a real NameNode and DataNode. */
final class HdfsJournalIT extends JournalContract {

    @TempDir
    static Path directory;

    private static HdfsCluster cluster;
    private static int roots;

    @BeforeAll
    static void startCluster() throws IOException {
        cluster = HdfsCluster.start(directory, 1);
    }

    @AfterAll
    static void stopCluster() {
        cluster.close();
    }

    @Override
    JournalStorage newStorage() throws IOException {
        return HadoopJournalStorage.open(new StorageConfig(
                URI.create(cluster.uri() + "/talos-" + roots++),
                Duration.ofSeconds(30),
                Duration.ofSeconds(60),
                Map.of("dfs.replication", "1")));
    }
}
