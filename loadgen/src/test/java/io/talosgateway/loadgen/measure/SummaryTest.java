package io.talosgateway.loadgen.measure;

import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

final class SummaryTest {

    private static final long MS = 1_000_000;

    @Test
    void latenciesOfAllWorkersAreMerged() {
        Tally all = new Tally();
        for (int worker = 0; worker < 2; worker++) {
            KindRecorder recorder = new KindRecorder();
            for (int ms = 1; ms <= 500; ms++) {
                recorder.answered(true, (2L * ms - worker) * MS, 1, 100);
            }
            all = all.plus(recorder.take());
        }

        Summary summary = Summary.of(all, 2);

        assertThat(summary.count()).isEqualTo(1000);
        assertThat(summary.perSecond()).isEqualTo(500);
        assertThat(summary.bytesPerSecond()).isEqualTo(50_000);
        assertThat(summary.meanMs()).isCloseTo(500.5, within(1.0));
        assertThat(summary.p50Ms()).isCloseTo(500, within(1.0));
        assertThat(summary.p75Ms()).isCloseTo(750, within(1.0));
        assertThat(summary.p90Ms()).isCloseTo(900, within(1.0));
        assertThat(summary.p99Ms()).isCloseTo(990, within(1.0));
        assertThat(summary.p999Ms()).isCloseTo(999, within(1.0));
        assertThat(summary.maxMs()).isCloseTo(1000, within(1.0));
        assertThat(summary.errors()).isZero();
    }

    @Test
    void warmUpDoesNotCountButItsErrorsDo() {
        KindRecorder recorder = new KindRecorder();
        recorder.answered(false, MS, 1, 100);
        recorder.failed(503, "overloaded", "first");
        recorder.failed(0, "not-connected", "refused");
        KindRecorder other = new KindRecorder();
        other.failed(503, "overloaded", "second");
        other.refused(true, 2 * MS);
        other.refused(false, 900 * MS);
        Tally tally = recorder.take();
        tally = tally.plus(other.take());

        Summary summary = Summary.of(tally, 1);

        assertThat(summary.count()).isZero();
        assertThat(summary.maxMs()).isZero();
        assertThat(summary.errors()).isEqualTo(3);
        assertThat(summary.refusedMeanMs()).isCloseTo(2, within(0.01));
        assertThat(summary.refusedP999Ms()).isCloseTo(2, within(0.01));
        assertThat(summary.errorsByKind())
                .isEqualTo(List.of(
                        new Tally.ErrorCount(503, "overloaded", 2, "first"),
                        new Tally.ErrorCount(0, "not-connected", 1, "refused")));
        assertThat(recorder.answered()).isEqualTo(1);
    }

    @Test
    void getsWithoutMessagesAreEmpty() {
        KindRecorder recorder = new KindRecorder();
        recorder.answered(true, MS, 0, 80);
        recorder.answered(true, MS, 5, 1000);

        Summary summary = Summary.of(recorder.take(), 1);

        assertThat(summary.empty()).isEqualTo(1);
        assertThat(summary.messages()).isEqualTo(5);
        assertThat(summary.count()).isEqualTo(2);
    }

    @Test
    void windowThatNeverOpenedHasNoRates() {
        assertThat(Summary.of(new Tally(), 0).perSecond()).isZero();
    }

    @Test
    void latencyBeyondTheScaleIsTheLongest() {
        KindRecorder recorder = new KindRecorder();
        recorder.answered(true, 5_000_000 * MS, 1, 1);

        assertThat(Summary.of(recorder.take(), 1).maxMs()).isCloseTo(3_600_000, within(3_600.0));
    }
}
