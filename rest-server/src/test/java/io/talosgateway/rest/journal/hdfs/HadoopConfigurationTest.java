package io.talosgateway.rest.journal.hdfs;

import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

final class HadoopConfigurationTest {

    private static final String RETRIES = "ipc.client.connect.max.retries";
    private static final String BEST_EFFORT = "dfs.client.block.write.replace-datanode-on-failure.best-effort";

    private static Configuration configuration(Map<String, String> options) {
        return HdfsJournalStorage.configuration(new StorageConfig(
                URI.create("hdfs://localhost:1/talos"), Duration.ofSeconds(1), Duration.ofSeconds(1), options));
    }

    /** core-default.xml is always loaded, hdfs-default.xml as soon as anything of HDFS was used in the process. */
    @Test
    void hadoopsOwnDefaultsDoNotComeBeforeOurs() {
        HdfsConfiguration.init();
        assertThat(new Configuration().get(BEST_EFFORT)).isEqualTo("false");

        assertThat(configuration(Map.of()).get(BEST_EFFORT)).isEqualTo("true");
        assertThat(configuration(Map.of()).get(RETRIES)).isEqualTo("3");
    }

    /** Although Hadoop reads that file only when the first class of HDFS is used. */
    @Test
    void whatIsInTheOperatorsHdfsSiteComesBeforeOurs(@TempDir Path directory) throws IOException {
        Files.writeString(
                directory.resolve("hdfs-site.xml"),
                "<configuration><property><name>%s</name><value>7</value></property></configuration>"
                        .formatted("dfs.client.socket-timeout"));
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {directory.toUri().toURL()}, before)) {
            thread.setContextClassLoader(loader);
            assertThat(configuration(Map.of()).get("dfs.client.socket-timeout")).isEqualTo("7");
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    @Test
    void whatTheOperatorSetsComesBeforeOurs() {
        assertThat(configuration(Map.of(RETRIES, "7")).get(RETRIES)).isEqualTo("7");
    }
}
