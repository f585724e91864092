package io.talosgateway.benchmarks.ideal;

import java.util.List;

import io.talosgateway.benchmarks.ideal.Measurement.Variant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class ComparisonTableTest {

    private static final PutTimes TIMES = new PutTimes(10, 0.5, 6, 2, 1, 3, 2, 40);

    private static Measurement run(Variant variant, @Nullable String durability, int round, double putsPerSecond) {
        return new Measurement(
                variant,
                durability,
                round,
                putsPerSecond,
                120_000 / putsPerSecond,
                20,
                round == 3 ? 1 : 0,
                30,
                10,
                20,
                variant == Variant.GATEWAY ? TIMES : null);
    }

    @Test
    void ratesAreMediansAndRatiosAreOfTheSameRound() {
        String table = ComparisonTable.of(List.of(
                run(Variant.FLOOR, null, 1, 60_000),
                run(Variant.IDEAL, "memory", 1, 20_000),
                run(Variant.GATEWAY, "memory", 1, 10_000),
                run(Variant.IDEAL, "memory", 2, 30_000),
                run(Variant.GATEWAY, "memory", 2, 24_000),
                run(Variant.IDEAL, "memory", 3, 25_000),
                run(Variant.GATEWAY, "memory", 3, 15_000)));

        assertThat(table.lines())
                .contains(
                        "| none | floor | 60,000 (60,000–60,000) | 2.00 | 20.0 | – | 30 + 10 + 20 | 0 |",
                        "| memory | ideal | 25,000 (20,000–30,000) | 4.80 | 20.0 | – | 30 + 10 + 20 | 1 |",
                        "| memory | gateway | 15,000 (10,000–24,000) | 8.00 | 20.0 | 60 % (50–80) | 30 + 10 + 20 | 1 |");
    }

    @Test
    void timesOfTheGatewayAddUp() {
        String table = ComparisonTable.of(List.of(run(Variant.GATEWAY, "disk", 1, 10_000)));

        assertThat(table.lines())
                .contains("| disk | gateway | 10,000 (10,000–10,000) | 12.00 | 20.0 | – | 30 + 10 + 20 | 0 |")
                .last()
                .isEqualTo("| disk | 10.00 | 0.50 | 6.00 | 2.00 | 1.00 | 3.00 | 2.00 | 40 | 60 % | 50 % |");
    }

    @Test
    void withoutTheGatewayThereAreNoTimes() {
        assertThat(ComparisonTable.of(List.of(run(Variant.FLOOR, null, 1, 60_000))))
                .hasLineCount(3);
    }
}
