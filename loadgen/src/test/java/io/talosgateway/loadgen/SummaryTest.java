package io.talosgateway.loadgen;

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
            Tally tally = new Tally();
            for (int ms = 1; ms <= 500; ms++) {
                tally.answered(true, (2L * ms - worker) * MS, 1, 100);
            }
            all.add(tally);
        }

        Summary summary = Summary.of(all, 2);

        assertThat(summary.count()).isEqualTo(1000);
        assertThat(summary.perSecond()).isEqualTo(500);
        assertThat(summary.bytesPerSecond()).isEqualTo(50_000);
        assertThat(summary.meanMs()).isCloseTo(500.5, within(1.0));
        assertThat(summary.p50Ms()).isCloseTo(500, within(1.0));
        assertThat(summary.p75Ms()).isCloseTo(750, within(1.0));
        assertThat(summary.p99Ms()).isCloseTo(990, within(1.0));
        assertThat(summary.p999Ms()).isCloseTo(999, within(1.0));
        assertThat(summary.maxMs()).isCloseTo(1000, within(1.0));
        assertThat(summary.errors()).isZero();
    }

    @Test
    void warmUpDoesNotCountButItsErrorsDo() {
        Tally tally = new Tally();
        tally.answered(false, MS, 1, 100);
        tally.failed(503, "overloaded", "first");
        tally.failed(0, "not-connected", "refused");
        Tally other = new Tally();
        other.failed(503, "overloaded", "second");
        other.refused(true, 2 * MS);
        other.refused(false, 900 * MS);
        tally.add(other);

        Summary summary = Summary.of(tally, 1);

        assertThat(summary.count()).isZero();
        assertThat(summary.maxMs()).isZero();
        assertThat(summary.errors()).isEqualTo(3);
        assertThat(summary.refusedMeanMs()).isCloseTo(2, within(0.01));
        assertThat(summary.refusedP999Ms()).isCloseTo(2, within(0.01));
        assertThat(summary.errorsByKind())
                .isEqualTo(List.of(
                        new Tally.ErrorCount(0, "not-connected", 1, "refused"),
                        new Tally.ErrorCount(503, "overloaded", 2, "first")));
        assertThat(tally.answered()).isEqualTo(1);
    }

    @Test
    void getsWithoutMessagesAreEmpty() {
        Tally tally = new Tally();
        tally.answered(true, MS, 0, 80);
        tally.answered(true, MS, 5, 1000);

        Summary summary = Summary.of(tally, 1);

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
        Tally tally = new Tally();
        tally.answered(true, 500_000 * MS, 1, 1);

        assertThat(Summary.of(tally, 1).maxMs()).isCloseTo(120_000, within(100.0));
    }
}
