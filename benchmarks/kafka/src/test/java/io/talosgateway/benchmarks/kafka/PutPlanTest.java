package io.talosgateway.benchmarks.kafka;

import java.time.Duration;

import io.talosgateway.loadgen.plan.Warmup;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class PutPlanTest {

    private static PutPlan plan(int partitions, int threads, int size) {
        return new PutPlan(
                "127.0.0.1:9092",
                "load",
                partitions,
                threads,
                ProducerUse.PER_THREAD,
                size,
                Warmup.AUTO,
                Duration.ofSeconds(1),
                1);
    }

    @Test
    void everyReplicaAcknowledgesAndNobodyWaitsForABatch() {
        assertThat(new ProducerConfig(plan(1, 1, 1).producerSettings()))
                .satisfies(config -> assertThat(config.getLong(ProducerConfig.LINGER_MS_CONFIG))
                        .isZero())
                .satisfies(config ->
                        assertThat(config.getString(ProducerConfig.ACKS_CONFIG)).isEqualTo("-1"))
                .satisfies(config -> assertThat(config.getBoolean(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG))
                        .isTrue());
    }

    @Test
    void whatCannotBeDoneIsSaid() {
        assertThatThrownBy(() -> plan(0, 1, 1)).hasMessage("--partitions must be at least 1");
        assertThatThrownBy(() -> plan(1, 0, 1)).hasMessage("--put-threads must be 1 to 10000");
        assertThatThrownBy(() -> plan(1, 1, 0)).hasMessage("--size must be at least 1");
        assertThatThrownBy(() -> ProducerUse.parse("some")).hasMessageContaining("say shared or per-thread");
    }

    @Test
    void usesOfProducersAreReadAsTheyAreSaid() {
        for (ProducerUse use : ProducerUse.values()) {
            assertThat(ProducerUse.parse(use.text())).isEqualTo(use);
        }
    }
}
