package io.talosgateway.loadgen.chart;

import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

final class AxisScaleTest {

    private static String labels(AxisScale scale) {
        return String.join(
                " ", scale.ticks().stream().map(AxisScale.Tick::label).toList());
    }

    @ParameterizedTest
    @CsvSource({
        "10, 0 2 4 6 8 10",
        "11, 0 2 4 6 8 10 12",
        "0.3, 0 0.05 0.1 0.15 0.2 0.25 0.3",
        "0.07, 0 0.02 0.04 0.06 0.08",
        "100, 0 20 40 60 80 100",
        "1, 0 0.2 0.4 0.6 0.8 1",
        "0, 0 1"
    })
    void linearTicksAreRoundNumbersThatTakeInTheGreatest(double greatest, String labels) {
        assertThat(labels(LinearScale.upTo(greatest))).isEqualTo(labels);
    }

    @Test
    void linearTicksAreReadable() {
        assertThat(labels(LinearScale.upTo(23_456))).isEqualTo("0 5,000 10,000 15,000 20,000 25,000");
    }

    @Test
    void linearScaleMayEndBetweenTicks() {
        LinearScale scale = LinearScale.exactlyTo(10.3);

        assertThat(labels(scale)).isEqualTo("0 2 4 6 8 10");
        assertThat(scale.position(10.3)).isEqualTo(1);
        assertThat(scale.position(5.15)).isCloseTo(0.5, within(1e-9));
        assertThat(scale.position(-1)).isZero();
        assertThat(scale.position(99)).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({
        "0.3, 40, 0.2 0.5 1 2 5 10 20 50",
        "1, 100, 1 2 5 10 20 50 100",
        "0.01, 3000, 0.01 0.1 1 10 100 1|000",
        "7, 7, 5 10"
    })
    void logTicksAreRoundNumbersAround(double least, double greatest, String labels) {
        assertThat(labels(LogScale.around(least, greatest))).isEqualTo(labels.replace('|', ','));
    }

    @Test
    void eachPowerOfTenTakesTheSameRoom() {
        LogScale scale = LogScale.around(0.1, 1000);

        assertThat(scale.position(0.1)).isZero();
        assertThat(scale.position(1)).isCloseTo(0.25, within(1e-9));
        assertThat(scale.position(100)).isCloseTo(0.75, within(1e-9));
        assertThat(scale.position(0)).isZero();
        assertThat(scale.position(5000)).isEqualTo(1);
    }

    @Test
    void eachNineTakesTheSameRoomAndTheGreatestIsAtTheEnd() {
        PercentileScale scale = new PercentileScale(10_000);

        assertThat(labels(scale)).isEqualTo("0 % 50 % 90 % 99 % 99.9 %");
        assertThat(scale.position(90)).isCloseTo(0.25, within(1e-9));
        assertThat(scale.position(99)).isCloseTo(0.5, within(1e-9));
        assertThat(scale.position(100)).isEqualTo(1);
    }

    @Test
    void latenciesOfOneSizeAreLinearAndOthersLogarithmic() {
        List<Double> alike = List.of(1.0, 2.0, 3.0, 19.0);
        List<Double> withAnOutlier = Stream.concat(Collections.nCopies(50, 1.0).stream(), Stream.of(900.0))
                .toList();

        assertThat(LatencyScale.of(alike)).isInstanceOf(LinearScale.class);
        assertThat(LatencyScale.of(withAnOutlier)).isInstanceOf(LogScale.class);
        assertThat(LatencyScale.of(List.of(Double.NaN, 0.0))).isInstanceOf(LinearScale.class);
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "0.0421, 0.042", "3.14159, 3.14", "27.24, 27.2", "431.7, 432"})
    void numbersHaveAboutThreeDigits(double value, String text) {
        assertThat(Numbers.three(value)).isEqualTo(text);
    }

    @Test
    void lineThatOutliersOfAnotherWouldPressFlatGetsALogScale() {
        Series flat = new Series("P50", "p50", List.of(new Series.Point(0, 1.0), new Series.Point(1, 1.5)));
        Series far = new Series("max", "max", List.of(new Series.Point(0, 2.0), new Series.Point(1, 12.0)));
        Series near = new Series("P99", "p99", List.of(new Series.Point(0, 4.0), new Series.Point(1, Double.NaN)));

        assertThat(LatencyScale.ofLines(List.of(flat, far))).isInstanceOf(LogScale.class);
        assertThat(LatencyScale.ofLines(List.of(flat, near))).isInstanceOf(LinearScale.class);
        assertThat(LatencyScale.ofLines(List.of())).isInstanceOf(LinearScale.class);
    }

    @Test
    void fewSlowRequestsDoNotPressTheOthersFlat() {
        Series.Point half = new Series.Point(50, 0.1);
        Series slow = new Series("A", "r1", List.of(half, new Series.Point(99.9, 20), new Series.Point(99.99, 50)));
        Series even = new Series("B", "r2", List.of(half, new Series.Point(99.9, 0.5), new Series.Point(99.99, 1.9)));

        assertThat(LatencyScale.ofDistributions(List.of(slow, even))).isInstanceOf(LogScale.class);
        assertThat(LatencyScale.ofDistributions(List.of(even))).isInstanceOf(LinearScale.class);
        assertThat(LatencyScale.ofDistributions(List.of())).isInstanceOf(LinearScale.class);
    }
}
