package io.talosgateway.rest.journal.hdfs;

import java.net.URI;
import java.time.Duration;
import java.util.Map;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class HadoopConfigurationTest {

    private static final String RETRIES = "ipc.client.connect.max.retries";
    private static final String BEST_EFFORT = "dfs.client.block.write.replace-datanode-on-failure.best-effort";

    private static Configuration configuration(Map<String, String> options) {
        return HadoopJournalStorage.configuration(new StorageConfig(
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

    @Test
    void whatTheOperatorSetsComesBeforeOurs() {
        assertThat(configuration(Map.of(RETRIES, "7")).get(RETRIES)).isEqualTo("7");
    }
}
