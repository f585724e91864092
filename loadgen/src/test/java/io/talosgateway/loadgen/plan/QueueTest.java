package io.talosgateway.loadgen.plan;

import java.time.Duration;

import io.talosgateway.loadgen.content.Format;
import io.talosgateway.loadgen.content.MessageCompression;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class QueueTest {

    /** On four partitions, for a second. */
    private static LoadPlan plan(String size, int batch, int consumers, long consumersAfterMs, int window) {
        LoadPlan plan = Plans.of(Plans.content(Format.JSON, size, batch, MessageCompression.NONE, 0));
        return new LoadPlan(
                plan.target(),
                plan.puts(),
                plan.gets(),
                plan.content(),
                plan.warmup(),
                plan.duration(),
                null,
                plan.idle(),
                plan.process(),
                new Queue(consumers, Duration.ofMillis(1), Duration.ofMillis(consumersAfterMs), window));
    }

    @Test
    void whatCannotBeDoneIsSaid() {
        assertThat(plan("16B", 5, 4, 999, 5).queue().consumers()).isEqualTo(4);
        assertThatThrownBy(() -> plan("1000B", 1, 5, 0, 0))
                .hasMessageContaining("--consumers must be 1 to --partitions (4)");
        assertThatThrownBy(() -> plan("1000B", 10, 1, 0, 5)).hasMessageContaining("no put would fit");
        assertThatThrownBy(() -> plan("1000B", 1, 1, 1_000, 0)).hasMessageContaining("nothing would be consumed");
        assertThatThrownBy(() -> plan("8B", 1, 1, 0, 0)).hasMessage("--size must be at least 16B");
    }
}
