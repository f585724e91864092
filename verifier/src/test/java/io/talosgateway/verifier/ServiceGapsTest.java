package io.talosgateway.verifier;

import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** How long partitions acknowledged nothing. */
final class ServiceGapsTest {

    @Test
    void longestGapOfEachPartitionInEachPeriod() {
        ServiceGaps gaps = new ServiceGaps(3, "none");
        gaps.put(0, 10);
        gaps.put(1, 20);
        gaps.put(0, 40);
        gaps.got(0, 5);
        gaps.got(1, 45);
        gaps.got(2, 25);
        gaps.begin("kill", 50);
        gaps.got(2, 80);
        gaps.put(0, 60);
        gaps.put(2, 55);
        gaps.put(2, 95);
        gaps.begin("end", 100);
        gaps.put(0, 1_000);

        List<ServiceGaps.Period> periods = gaps.periods();

        assertThat(periods).extracting(ServiceGaps.Period::name).containsExactly("none", "kill");
        assertThat(periods.get(0).longestNanos()).containsExactly(30, 30, 50);
        assertThat(periods.get(0).worstGetNanos()).isEqualTo(45);
        assertThat(periods.get(1).worstGetNanos()).isEqualTo(50);
        assertThat(periods.get(1).longestNanos()).containsExactly(40, 50, 40);
        assertThat(periods.get(1).worstNanos()).isEqualTo(50);
        assertThat(periods.get(1).worstPartition()).isEqualTo(1);
        assertThat(periods.get(1).medianNanos()).isEqualTo(40);
    }

    @Test
    void answersThatAreWrittenDownLateDoNotMakeGaps() {
        ServiceGaps gaps = new ServiceGaps(1, "none");
        gaps.put(0, 10);
        gaps.put(0, 9);
        gaps.put(0, 12);
        gaps.begin("end", 13);

        assertThat(gaps.periods().get(0).longestNanos()).containsExactly(10);
    }
}
