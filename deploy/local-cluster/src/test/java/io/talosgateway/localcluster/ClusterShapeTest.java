package io.talosgateway.localcluster;

import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class ClusterShapeTest {

    private static ClusterShape shape(int gateways, int dataNodes) {
        return new ClusterShape(gateways, dataNodes, "320m", Map.of());
    }

    @Test
    void hostsAreInTheOrderInWhichTheyNeedEachOther() {
        assertThat(shape(2, 2).hosts())
                .map(Host::name)
                .containsExactly("zookeeper", "namenode", "datanode-1", "datanode-2", "gateway-1", "gateway-2");
    }

    @Test
    void unknownHostIsAnsweredWithTheKnownOnes() {
        assertThat(shape(1, 1).host("gateway-1")).isEqualTo(Host.gateway(1));
        assertThatThrownBy(() -> shape(1, 1).host("gateway-2"))
                .isInstanceOf(ClusterFailure.class)
                .hasMessage("There is no host 'gateway-2' in this cluster; "
                        + "there are zookeeper, namenode, datanode-1, gateway-1");
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "2, 2", "3, 3", "5, 3"})
    void blocksAreOnThreeDataNodesIfThereAreThree(int dataNodes, int replication) {
        assertThat(shape(1, dataNodes).replication()).isEqualTo(replication);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 3, 320m, --gateways must be 1 to 16: 0",
        "4, 17, 320m, --datanodes must be 1 to 16: 17",
        "4, 3, big, --gateway-heap must be a size like 320m or 1g: big"
    })
    void impossibleShapesAreRefused(int gateways, int dataNodes, String heap, String sentence) {
        assertThatThrownBy(() -> new ClusterShape(gateways, dataNodes, heap, Map.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(sentence);
    }
}
