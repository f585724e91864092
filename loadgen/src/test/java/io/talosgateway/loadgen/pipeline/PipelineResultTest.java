package io.talosgateway.loadgen.pipeline;

import java.util.List;

import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class PipelineResultTest {

    private static final long MS = 1_000_000;

    private static Flow.Taken taken(long put, long consumed, long errors) {
        return new Flow.Taken(put, consumed, errors, Flow.histogram(), Flow.histogram());
    }

    @Test
    void secondHasRatesAndTheBacklogAtItsEnd() {
        Histogram ages = Flow.histogram();
        ages.recordValue(20 * MS);
        Flow.Taken now = new Flow.Taken(300, 120, 1, Flow.histogram(), ages);

        PipelineSecond second = PipelineSecond.between(taken(100, 20, 0), now, 2.0, 2.0);

        assertThat(second.putPerSecond()).isEqualTo(100);
        assertThat(second.consumedPerSecond()).isEqualTo(50);
        assertThat(second.backlog()).isEqualTo(180);
        assertThat(second.ageMaxMs()).isBetween(19.9, 20.1);
        assertThat(second.putMeanMs()).isZero();
        assertThat(second.errors()).isEqualTo(1);
    }

    @Test
    void whatWasConsumedBeforeItsPutWasAnsweredIsNoBacklog() {
        assertThat(PipelineSecond.between(taken(0, 0, 0), taken(10, 12, 0), 1, 1)
                        .backlog())
                .isZero();
    }

    @Test
    void rateOfConsumptionIsOfTheTimeWithConsumers() {
        PipelineSecond alone = PipelineSecond.between(taken(0, 0, 0), taken(100, 0, 0), 1, 1);
        PipelineSecond both = PipelineSecond.between(taken(100, 0, 0), taken(150, 80, 0), 2, 1);

        PipelineResult result = PipelineResult.of(
                PipelinePlanTest.plan(1, 0, 1, 1_000),
                0,
                false,
                null,
                List.of(alone, both),
                Flow.histogram(),
                Flow.histogram());

        assertThat(result.values())
                .containsEntry("put.perSecond", 75.0)
                .containsEntry("consumed.perSecond", 80.0)
                .containsEntry("backlog.peak", 100.0)
                .containsEntry("backlog.end", 70.0);
    }
}
