package io.talosgateway.benchmarks.kafka;

import java.nio.file.Path;
import java.util.Properties;

import kafka.server.KafkaConfig;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class BrokerSettingsTest {

    @Test
    void brokerIsItsOwnControllerOnLoopback() {
        Properties properties = new BrokerSettings(Path.of("/data"), 1001, 1002, 7, 0).properties();

        assertThat(properties)
                .containsEntry("listeners", "PLAINTEXT://127.0.0.1:1001,CONTROLLER://127.0.0.1:1002")
                .containsEntry("advertised.listeners", "PLAINTEXT://127.0.0.1:1001")
                .containsEntry("controller.quorum.voters", "1@127.0.0.1:1002")
                .containsEntry("num.partitions", "7")
                .containsEntry("log.dirs", "/data");
        assertThat(KafkaConfig.fromProps(properties, false).brokerId()).isEqualTo(BrokerSettings.NODE_ID);
    }

    @Test
    void flushingIsLeftToKafkaUnlessAsked() {
        assertThat(new BrokerSettings(Path.of("/data"), 1, 2, 7, 0).properties())
                .doesNotContainKey("log.flush.interval.messages");
        assertThat(new BrokerSettings(Path.of("/data"), 1, 2, 7, 1).properties())
                .containsEntry("log.flush.interval.messages", "1");
    }
}
