package io.talosgateway.benchmarks.kafka;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;

import org.apache.kafka.clients.producer.ProducerConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class KafkaLoadTest {

    @TempDir
    private Path temporary;

    private String refusal(String option) {
        StringWriter err = new StringWriter();
        int status = KafkaLoad.commandLine()
                .setErr(new PrintWriter(err))
                .execute("--endpoint=127.0.0.1:1", "--no-create", "--out=" + temporary.resolve("out"), option);
        assertThat(status).isEqualTo(1);
        assertThat(temporary.resolve("out")).doesNotExist();
        return err.toString();
    }

    @Test
    void everyReplicaAcknowledgesAndNobodyWaitsForABatch() {
        ProducerConfig config = new ProducerConfig(KafkaLoad.producerSettings("127.0.0.1:9092"));

        assertThat(config.getLong(ProducerConfig.LINGER_MS_CONFIG)).isZero();
        assertThat(config.getString(ProducerConfig.ACKS_CONFIG)).isEqualTo("-1");
        assertThat(config.getBoolean(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG)).isTrue();
    }

    @Test
    void whatCannotBeDoneIsSaid() {
        assertThat(refusal("--partitions=0")).contains("--partitions must be at least 1");
        assertThat(refusal("--put-threads=0")).contains("--put-threads must be 1 to 10000");
        assertThat(refusal("--size=0B")).contains("--size must be at least 1");
        assertThat(refusal("--producers=some")).contains("--producers must be shared or per-thread");
    }
}
