package io.talosgateway.loadgen.pipeline;

import java.time.Duration;

import io.talosgateway.loadgen.plan.Warmup;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class PipelinePlanTest {

    static PipelinePlan plan(int batch, int window, int consumers, long consumersAfterMs) {
        return new PipelinePlan(
                "pipeline",
                8,
                16,
                batch,
                window,
                consumers,
                1,
                consumersAfterMs,
                1_000,
                Warmup.of(Duration.ofSeconds(2)),
                4_000,
                1);
    }

    @Test
    void whatCannotBeDoneIsSaid() {
        assertThatThrownBy(() -> plan(1, 0, 9, 0)).hasMessageContaining("--consumers must be 1 to --partitions (8)");
        assertThatThrownBy(() -> plan(10, 5, 1, 0)).hasMessageContaining("no put would fit");
        assertThatThrownBy(() -> plan(1, 0, 1, 4_000)).hasMessageContaining("nothing would be consumed");
        assertThatThrownBy(() -> new PipelinePlan("pipeline", 1, 1, 1, 0, 1, 1, 0, 8, Warmup.AUTO, 1, 1))
                .hasMessage("--size must be at least 16B");
    }

    @Test
    void warmUpHasAShortQueueAndConsumersThatDoNothing() {
        PipelinePlan warm = plan(100, 0, 2, 1_000).warm();

        assertThat(warm.window()).isEqualTo(100);
        assertThat(warm.costMs()).isZero();
        assertThat(warm.consumersAfterMs()).isZero();
        assertThat(warm.durationMs()).isEqualTo(2_000);
    }
}
