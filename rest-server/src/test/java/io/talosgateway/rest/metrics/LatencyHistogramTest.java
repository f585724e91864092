package io.talosgateway.rest.metrics;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;

import io.prometheus.client.Collector.MetricFamilySamples.Sample;
import io.prometheus.client.CollectorRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

final class LatencyHistogramTest {

    private static final int SAMPLES = 100_000;
    private static final long SEED = 41;

    private final CollectorRegistry registry = new CollectorRegistry();

    @ParameterizedTest
    @EnumSource
    void everyTimeIsInTheBucketWhoseBoundsAreAroundIt(Resolution resolution) {
        Random random = new Random(SEED);
        List<Long> times = new ArrayList<>(List.of(0L, 1L, 49_999L, 50_000L, 50_001L, 52_428_800_000L, Long.MAX_VALUE));
        for (int count = 0; count < SAMPLES; count++) {
            times.add((long) Math.exp(random.nextDouble() * 26));
        }
        for (int bucket = 0; bucket < resolution.buckets() - 1; bucket++) {
            long bound = Math.round(resolution.boundSeconds(bucket) * 1e9);
            times.addAll(List.of(bound, bound + 1));
        }
        for (long time : times) {
            int bucket = resolution.bucketOf(time);
            assertThat(time / 1e9).as("%d ns", time).isLessThanOrEqualTo(resolution.boundSeconds(bucket));
            if (bucket > 0) {
                assertThat(time / 1e9).as("%d ns", time).isGreaterThan(resolution.boundSeconds(bucket - 1));
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void boundsRiseByNoMoreThanAStep(Resolution resolution) {
        double widest = resolution == Resolution.FINE ? 1.0626 : 1.501;
        for (int bucket = 1; bucket < resolution.buckets() - 1; bucket++) {
            assertThat(resolution.boundSeconds(bucket) / resolution.boundSeconds(bucket - 1))
                    .isBetween(1.01, widest);
        }
        assertThat(resolution.boundSeconds(0)).isEqualTo(50e-6);
        assertThat(resolution.boundSeconds(resolution.buckets() - 2)).isEqualTo(52.4288);
    }

    /** Times of a distribution, given by its inverse: those of a queue, a sum of many small times, and two kinds of requests. */
    private static List<DoubleUnaryOperator> distributions() {
        Random random = new Random(SEED);
        return List.of(
                share -> -0.004 * Math.log(1 - share),
                share -> 0.01 * Math.exp(0.8 * random.nextGaussian()),
                share -> share < 0.9 ? 0.002 + 0.001 * random.nextDouble() : 0.2 + 0.1 * random.nextDouble());
    }

    @Test
    void percentilesOfPrometheusAreRight() {
        Random random = new Random(SEED);
        int number = 0;
        for (DoubleUnaryOperator distribution : distributions()) {
            String kind = String.valueOf(number++);
            LatencyHistogram.Child child = LatencyHistogram.register(registry, "t" + kind + "_seconds", "T.", "kind")
                    .child(Resolution.FINE, kind);
            double[] seconds = new double[SAMPLES];
            for (int index = 0; index < SAMPLES; index++) {
                seconds[index] = distribution.applyAsDouble(random.nextDouble());
                child.observe(Math.round(seconds[index] * 1e9));
            }
            Arrays.sort(seconds);
            for (double quantile : new double[] {0.5, 0.75, 0.99, 0.999}) {
                double exact = seconds[(int) (quantile * SAMPLES)];
                assertThat(quantile(quantile, "t" + kind + "_seconds"))
                        .as("distribution %s, %s", kind, quantile)
                        .isCloseTo(exact, within(exact * 0.02));
            }
            double mean = Arrays.stream(seconds).average().orElseThrow();
            assertThat(value("t" + kind + "_seconds_sum") / value("t" + kind + "_seconds_count"))
                    .isCloseTo(mean, within(mean * 1e-6));
        }
    }

    private List<Sample> samples(String name) {
        return Collections.list(registry.metricFamilySamples()).stream()
                .flatMap(family -> family.samples.stream())
                .filter(sample -> sample.name.equals(name))
                .toList();
    }

    private double value(String name) {
        return samples(name).get(0).value;
    }

    /** As {@code histogram_quantile} of Prometheus finds it. */
    private double quantile(double quantile, String name) {
        double rank = quantile * value(name + "_count");
        double lowerBound = 0;
        double below = 0;
        for (Sample bucket : samples(name + "_bucket")) {
            double bound = Double.parseDouble(bucket.labelValues.get(1).replace("+Inf", "Infinity"));
            if (bucket.value >= rank) {
                return Double.isInfinite(bound)
                        ? lowerBound
                        : lowerBound + (bound - lowerBound) * (rank - below) / (bucket.value - below);
            }
            lowerBound = bound;
            below = bucket.value;
        }
        throw new AssertionError("no bucket has " + rank);
    }

    @Test
    void seriesHaveTheirLabelsAndCanBeForgotten() {
        LatencyHistogram histogram = LatencyHistogram.register(registry, "t_seconds", "T.", "host");
        histogram.labels("a").observe(3_000_000);
        histogram.labels("b").observe(-5);

        assertThat(registry.getSampleValue("t_seconds_sum", new String[] {"host"}, new String[] {"a"}))
                .isEqualTo(0.003);
        assertThat(registry.getSampleValue(
                        "t_seconds_bucket", new String[] {"host", "le"}, new String[] {"b", "5.0E-5"}))
                .isEqualTo(1);
        assertThat(registry.getSampleValue("t_seconds_bucket", new String[] {"host", "le"}, new String[] {"a", "+Inf"}))
                .isEqualTo(1);

        histogram.remove("a");
        assertThat(registry.getSampleValue("t_seconds_sum", new String[] {"host"}, new String[] {"a"}))
                .isNull();
        assertThatThrownBy(() -> histogram.labels("a", "b")).isInstanceOf(IllegalArgumentException.class);
    }
}
