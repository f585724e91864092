package io.talosgateway.localcluster;

import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class RunningClusterTest {

    private static Set<Integer> allPorts(RunningCluster cluster) {
        return cluster.ports().values().stream()
                .flatMap(ports -> ports.values().stream())
                .collect(Collectors.toSet());
    }

    @Test
    void everyHostHasPortsOfItsOwnBelowThoseOfOutgoingConnections() {
        RunningCluster cluster = Clusters.of(4, 3, Map.of());

        assertThat(allPorts(cluster)).hasSize(1 + 2 + 3 * 3 + 4 * 3).allMatch(port -> port >= 20_000 && port < 30_000);
    }

    @Test
    void hostsKeepTheirPortsWhenOthersCome() {
        RunningCluster before = Clusters.of(1, 1, Map.of());
        RunningCluster after = before.reshaped(new ClusterShape(3, 2, 4, "1g", Map.of()), new Random(2), port -> true);

        assertThat(after.ports()).containsAllEntriesOf(before.ports()).containsKeys("gateway-3", "datanode-2");
        assertThat(allPorts(after)).hasSize(1 + 2 + 2 * 3 + 3 * 3);
        assertThat(after.id()).isEqualTo(before.id());
    }

    @Test
    void portsOfOthersAreNotTaken() {
        ClusterShape shape = new ClusterShape(1, 1, null, "320m", Map.of());
        RunningCluster before =
                new RunningCluster("id", shape, Map.of("zookeeper", Map.of("client", 20_002)), "secret", null);

        RunningCluster after = before.reshaped(shape, new Random(1), port -> port < 20_009);

        assertThat(allPorts(after))
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(20_000, 20_009).boxed().toList());
        assertThatThrownBy(() -> before.reshaped(shape, new Random(1), port -> port < 20_008))
                .isInstanceOf(ClusterFailure.class)
                .hasMessage("No port from 20000 to 29999 is free");
    }
}
