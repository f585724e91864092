package io.talosgateway.benchmarks.kafka;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

class PutResultTest {

    private static final PutPlan PLAN = new PutPlan(
            "127.0.0.1:9092",
            "load",
            4,
            8,
            ProducerUse.SHARED,
            100,
            Duration.ofSeconds(1),
            Duration.ofMillis(2_500),
            1);

    @Test
    void latenciesAreInMillisecondsAndRatesASecond() {
        Histogram nanos = new Histogram(3);
        for (int ms = 1; ms <= 1_000; ms++) {
            nanos.recordValue(TimeUnit.MILLISECONDS.toNanos(ms));
        }

        PutResult result = PutResult.of(PLAN, nanos, 3, TimeUnit.MILLISECONDS.toNanos(50));

        assertThat(result.put().count()).isEqualTo(1_000);
        assertThat(result.put().perSecond()).isEqualTo(400);
        assertThat(result.put().bytesPerSecond()).isEqualTo(40_000);
        assertThat(result.put().meanMs()).isCloseTo(500.5, within(1.0));
        assertThat(result.put().p50Ms()).isCloseTo(500, within(1.0));
        assertThat(result.put().p99Ms()).isCloseTo(990, within(1.0));
        assertThat(result.put().maxMs()).isCloseTo(1_000, within(1.0));
        assertThat(result.put().errors()).isEqualTo(3);
        assertThat(result.cpuMicrosPerRequest()).isEqualTo(50);
    }

    @Test
    void nothingAnsweredIsZeroEverywhere() {
        PutResult result = PutResult.of(PLAN, new Histogram(3), 7, 1_000_000);

        assertThat(result.put()).isEqualTo(new PutResult.Latencies(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7));
        assertThat(result.cpuMicrosPerRequest()).isZero();
    }
}
