package io.talosgateway.loadgen.pipeline;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class PipelineStampTest {

    @Test
    void tellsWhenTheMessageWasPut() {
        PipelineStamp stamp = new PipelineStamp(100, 1);

        byte[] message = stamp.message(123_456_789_012L, 7);

        assertThat(message).hasSize(100);
        assertThat(PipelineStamp.atNanos(message)).isEqualTo(123_456_789_012L);
    }

    @Test
    void messagesDifferAndSeedsMakeThemAgain() {
        assertThat(new PipelineStamp(100, 1).message(1, 2)).isEqualTo(new PipelineStamp(100, 1).message(1, 2));
        assertThat(new PipelineStamp(100, 1).message(1, 2)).isNotEqualTo(new PipelineStamp(100, 1).message(1, 3));
        assertThat(new PipelineStamp(100, 1).message(1, 2)).isNotEqualTo(new PipelineStamp(100, 2).message(1, 2));
    }
}
