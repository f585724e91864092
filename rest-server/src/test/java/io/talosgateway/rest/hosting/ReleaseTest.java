package io.talosgateway.rest.hosting;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.topic.TopicId;
import io.talosgateway.rest.topic.TopicMetadata;
import io.talosgateway.rest.topic.TopicPartition;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** A host gives partitions to one that has come, while something else happens to them. */
final class ReleaseTest {

    private static final TopicMetadata TOPIC = SimulatedCluster.topic(8, Duration.ofDays(1));
    private static final TopicMetadata DELETED = SimulatedCluster.topic(new TopicId(1, 3), 8, Duration.ofDays(1));

    private final SimulatedCluster cluster = new SimulatedCluster(TOPIC, SimulatedCluster.AT_ONCE);

    /** The host releases the partitions of both topics together, and has not heard yet that one of them is deleted. */
    @Test
    void partitionsOfADeletedTopicDoNotKeepOthersFromBeingReleased() {
        cluster.zooKeeper.topics.add(DELETED);
        SimulatedHost a = cluster.start("a");
        cluster.pass(1_000);
        assertThat(TOPIC.allPartitions()).allMatch(partition -> a.hosting.find(partition) != null);

        a.zooKeeper.topicsLate = true;
        cluster.zooKeeper.placementListener = () -> {
            cluster.zooKeeper.topics.remove(DELETED);
            cluster.zooKeeper
                    .ownership
                    .keySet()
                    .removeIf(partition -> partition.topic().equals(DELETED.id()));
        };
        SimulatedHost b = cluster.start("b");
        cluster.pass(1_000);

        assertThat(TOPIC.allPartitions().filter(partition -> b.hosting.find(partition) != null))
                .hasSize(4);
        assertThat(TOPIC.allPartitions().filter(partition -> a.hosting.find(partition) != null))
                .hasSize(4);
        assertThat(a.hosting.incarnationNumber()).as("nobody has fenced it").isEqualTo(1);
    }

    /** Nothing would record it, and the next owner would give the messages again. */
    @Test
    void messagesOfAPartitionThatHasGoneAreNotDeleted() {
        SimulatedHost a = cluster.start("a");
        cluster.pass(1_000);
        Map<TopicPartition, HostedPartition> before =
                TOPIC.allPartitions().collect(Collectors.toMap(partition -> partition, a.hosting::get));
        SimulatedHost b = cluster.start("b");
        cluster.pass(1_000);
        TopicPartition gone = TOPIC.allPartitions()
                .filter(partition -> b.hosting.find(partition) != null)
                .findFirst()
                .orElseThrow();

        CompletableFuture<Void> trim = a.hosting.trim(before.get(gone), 0);
        cluster.pass(100);

        assertThat(trim.handle((done, failure) ->
                        GatewayException.in(failure).orElseThrow().code()))
                .isCompletedWithValue(ErrorCode.PARTITION_MOVING);
    }
}
