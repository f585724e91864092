package io.talosgateway.benchmarks.kafka;

import java.nio.file.Path;
import java.util.Properties;

import kafka.server.KafkaConfig;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class KafkaServerTest {

    @Test
    void brokerIsItsOwnControllerOnLoopback() throws Exception {
        Properties properties = KafkaServer.properties(Path.of("/data"), 7, 0);

        String clients = properties.getProperty("advertised.listeners");
        assertThat(clients).matches("PLAINTEXT://127\\.0\\.0\\.1:\\d+");
        assertThat(properties.getProperty("listeners")).startsWith(clients + ",CONTROLLER://127.0.0.1:");
        assertThat(properties.getProperty("controller.quorum.voters")).startsWith("1@127.0.0.1:");
        assertThat(properties).containsEntry("num.partitions", "7").containsEntry("log.dirs", "/data");
        assertThat(KafkaConfig.fromProps(properties, false).brokerId()).isEqualTo(1);
    }

    @Test
    void flushingIsLeftToKafkaUnlessAsked() throws Exception {
        assertThat(KafkaServer.properties(Path.of("/data"), 7, 0)).doesNotContainKey("log.flush.interval.messages");
        assertThat(KafkaServer.properties(Path.of("/data"), 7, 1)).containsEntry("log.flush.interval.messages", "1");
    }
}
