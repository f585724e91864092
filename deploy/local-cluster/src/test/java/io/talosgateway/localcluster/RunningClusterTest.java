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
    void portsOfOthersAreNotTaken() {
        ClusterShape shape = new ClusterShape(1, 1, "320m", Map.of());

        RunningCluster cluster = RunningCluster.make(shape, null, new Random(1), port -> port < 20_009);

        assertThat(allPorts(cluster))
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(20_000, 20_009).boxed().toList());
        assertThatThrownBy(() -> RunningCluster.make(shape, null, new Random(1), port -> port < 20_008))
                .isInstanceOf(ClusterFailure.class)
                .hasMessage("No port from 20000 to 29999 is free");
    }

    @Test
    void clustersHaveIdsOfTheirOwn() {
        ClusterShape shape = new ClusterShape(1, 1, "320m", Map.of());
        Random random = new Random(1);

        RunningCluster one = RunningCluster.make(shape, null, random, port -> true);

        assertThat(one.id())
                .hasSize(16)
                .isNotEqualTo(
                        RunningCluster.make(shape, null, random, port -> true).id());
    }
}
