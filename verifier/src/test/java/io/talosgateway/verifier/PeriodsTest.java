package io.talosgateway.verifier;

import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** How long partitions acknowledged nothing, and who is excused. */
final class PeriodsTest {

    @Test
    void longestGapOfEachPartitionInEachPeriod() {
        Periods periods = new Periods(3, "none");
        periods.put(0, 10);
        periods.put(1, 20);
        periods.put(0, 40);
        periods.got(0, 5);
        periods.got(1, 45);
        periods.got(2, 25);
        periods.begin("kill", 50);
        periods.got(2, 80);
        periods.put(0, 60);
        periods.put(2, 55);
        periods.put(2, 95);
        periods.begin("end", 100);
        periods.put(0, 1_000);

        List<Periods.Period> over = periods.over();

        assertThat(over).extracting(period -> period.name).containsExactly("none", "kill");
        assertThat(over.get(0).longestNanos).containsExactly(30, 30, 50);
        assertThat(over.get(0).worstGetNanos).isEqualTo(45);
        assertThat(over.get(1).worstGetNanos).isEqualTo(50);
        assertThat(over.get(1).longestNanos).containsExactly(40, 50, 40);
        assertThat(over.get(1).worstNanos()).isEqualTo(50);
        assertThat(over.get(1).worstPartition()).isEqualTo(1);
        assertThat(over.get(1).medianNanos()).isEqualTo(40);
    }

    @Test
    void answersThatAreWrittenDownLateDoNotMakeGaps() {
        Periods periods = new Periods(1, "none");
        periods.put(0, 10);
        periods.put(0, 9);
        periods.put(0, 12);
        periods.begin("end", 13);

        assertThat(periods.over().get(0).longestNanos).containsExactly(10);
    }

    @Test
    void gatewaysAreExcusedFromTheFaultUntilTheyAreReady() {
        Periods periods = new Periods(1, "none");
        periods.begin(Fault.kill("gateway-1", Duration.ZERO), 100);

        assertThat(periods.excuse(0, 10, 99)).isFalse();
        assertThat(periods.excuse(0, 10, 100)).isTrue();
        assertThat(periods.excuse(0, 500, 600)).isTrue();
        assertThat(periods.excuse(1, 500, 600)).isFalse();

        periods.back(600);
        periods.ready(700);
        periods.begin("end", 800);

        assertThat(periods.excuse(0, 700, 900)).isTrue();
        assertThat(periods.excuse(0, 701, 900)).isFalse();
    }
}
