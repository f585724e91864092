package io.talosgateway.loadgen.measure;

import java.util.Comparator;
import java.util.List;

import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

final class QuantileTest {

    @Test
    void theyGoFromTheFastestToTheSlowestAndCloserTogetherTowardsTheEnd() {
        Histogram latency = new Histogram(Tally.LOWEST_NANOS, Tally.HIGHEST_NANOS, Tally.DIGITS);
        for (int ms = 1; ms <= 10_000; ms++) {
            latency.recordValue(ms * 1_000_000L);
        }

        List<Quantile> quantiles = Quantile.of(latency);

        assertThat(quantiles).isSortedAccordingTo(Comparator.comparingDouble(Quantile::percent));
        assertThat(quantiles).isSortedAccordingTo(Comparator.comparingDouble(Quantile::ms));
        assertThat(quantiles.get(0).percent()).isZero();
        assertThat(quantiles.get(quantiles.size() - 1).percent()).isEqualTo(100);
        assertThat(quantiles.get(quantiles.size() - 1).ms()).isCloseTo(10_000, within(10.0));
        assertThat(quantiles).anySatisfy(quantile -> {
            assertThat(quantile.percent()).isEqualTo(50);
            assertThat(quantile.ms()).isCloseTo(5000, within(5.0));
        });
        assertThat(quantiles).filteredOn(quantile -> quantile.percent() > 99).hasSizeGreaterThan(10);
    }

    @Test
    void nothingTimedHasNone() {
        assertThat(Quantile.of(new Histogram(3))).isEmpty();
    }
}
