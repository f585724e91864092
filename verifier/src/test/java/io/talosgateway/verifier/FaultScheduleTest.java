package io.talosgateway.verifier;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Which faults come. */
final class FaultScheduleTest {

    private static final List<FaultKind> ALL = List.of(FaultKind.values());
    private static final List<String> GATEWAYS = List.of("gateway-1", "gateway-2", "gateway-3");

    private static List<Fault> faults(long seed, int count) {
        FaultSchedule schedule = new FaultSchedule(ALL, StubCluster.named(GATEWAYS), Duration.ofSeconds(15), seed);
        return IntStream.range(0, count).mapToObj(number -> schedule.get()).toList();
    }

    @Test
    void seedDecides() {
        assertThat(faults(1, 30)).isEqualTo(faults(1, 30)).isNotEqualTo(faults(2, 30));
    }

    @Test
    void everyKindComesInEveryRound() {
        List<Fault> faults = faults(7, 3 * ALL.size());
        for (int round = 0; round < 3; round++) {
            assertThat(faults.subList(round * ALL.size(), (round + 1) * ALL.size()))
                    .extracting(Fault::kind)
                    .containsExactlyInAnyOrderElementsOf(ALL);
        }
    }

    @Test
    void faultsHaveHostsOfTheirKindAndTimesWithinTheirLimits() {
        List<String> gatewaysSeen = new ArrayList<>();
        for (Fault fault : faults(3, 200)) {
            FaultKind kind = fault.kind();
            switch (kind.target) {
                case GATEWAY -> {
                    assertThat(fault.host()).isIn(GATEWAYS);
                    assertThat(fault.excused())
                            .isEqualTo(kind == FaultKind.CLOCK ? List.of() : List.of(GATEWAYS.indexOf(fault.host())));
                    gatewaysSeen.add(fault.host());
                }
                case DATANODE -> assertThat(fault.host()).isEqualTo("datanode-1");
                case NAMENODE -> assertThat(fault.host()).isEqualTo("namenode");
                case ZOOKEEPER -> assertThat(fault.host()).isEqualTo("zookeeper");
                case CLUSTER -> {
                    assertThat(fault.host()).isEqualTo("all");
                    assertThat(fault.excused()).containsExactly(0, 1, 2);
                }
            }
            if (kind == FaultKind.PAUSE || kind == FaultKind.PARTITION) {
                assertThat(fault.hold()).isEqualTo(Duration.ofSeconds(15));
            } else {
                assertThat(fault.hold())
                        .isBetween(Duration.ofSeconds(kind.leastSeconds), Duration.ofSeconds(kind.mostSeconds));
            }
        }
        assertThat(gatewaysSeen).containsAll(GATEWAYS);
    }

    @Test
    void clusterMustHaveWhatAKindNeeds() {
        VerifiedCluster cluster = VerifiedCluster.of(List.of(URI.create("http://127.0.0.1:81")), null);

        assertThatThrownBy(() -> new FaultSchedule(List.of(FaultKind.DATANODE), cluster, Duration.ZERO, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("leave out 'datanode'");
        assertThatThrownBy(() -> new FaultSchedule(List.of(FaultKind.PARTITION), cluster, Duration.ZERO, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("leave out 'partition'");
    }
}
