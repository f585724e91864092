package io.talosgateway.rest.hosting;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;

import io.talosgateway.rest.coordination.HostInfo.Intent;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.forwarding.Forwarder;
import io.talosgateway.rest.partition.PartitionService;
import io.talosgateway.rest.placement.PlacementConfig;
import io.talosgateway.rest.routing.MovePatience;
import io.talosgateway.rest.routing.RoutedPartitionService;
import io.talosgateway.rest.topic.Durability;
import io.talosgateway.rest.topic.TopicMetadata;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.scheduler.Deadline;
import io.talosgateway.scheduler.SteppedTime;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What becomes of the partitions of a host that vanishes, or announces a restart, step by step. */
final class DelayedRemovalTest {

    private static final PlacementConfig PLACEMENT =
            new PlacementConfig(Duration.ofMillis(100), Duration.ofSeconds(5), Duration.ofSeconds(60));
    private static final TopicMetadata TOPIC = SimulatedCluster.topic(8, Duration.ofDays(1));

    private final SimulatedCluster cluster = new SimulatedCluster(TOPIC, PLACEMENT);
    private SimulatedHost a;
    private SimulatedHost b;

    @BeforeEach
    void start() {
        a = cluster.start("a");
        b = cluster.start("b");
        cluster.pass(1_000);
        assertThat(ofB()).isNotEmpty();
        assertThat(TOPIC.allPartitions().toList())
                .allSatisfy(partition -> assertThat(
                                a.hosting.find(partition) != null || a.hosting.otherOwner(partition) != null)
                        .isTrue());
    }

    /** The partitions that b has by the placement of two. */
    private List<TopicPartition> ofB() {
        return TOPIC.allPartitions()
                .filter(partition -> a.hosting.find(partition) == null)
                .toList();
    }

    /** At once, in no time at all, and without a word to any other host. */
    private void assertRefusedAtOnce(List<TopicPartition> partitions) {
        Forwarder nobody = (Forwarder) Proxy.newProxyInstance(
                Forwarder.class.getClassLoader(), new Class<?>[] {Forwarder.class}, (proxy, method, arguments) -> {
                    throw new AssertionError("another host is asked: " + method);
                });
        SteppedTime time = new SteppedTime();
        PartitionService requests = new RoutedPartitionService(
                a.hosting, a.partitions, new MovePatience(Duration.ofSeconds(2), time, Runnable::run, time), nobody);
        assertThat(partitions)
                .isNotEmpty()
                .allSatisfy(partition -> assertThat(requests.describe(partition, Deadline.NONE)
                                .handle((status, failure) -> GatewayException.in(failure)
                                        .orElseThrow()
                                        .code()))
                        .isCompletedWithValue(ErrorCode.PARTITION_NOT_SERVING));
    }

    private void assertNobodyServes(List<TopicPartition> partitions) {
        assertThat(partitions)
                .isNotEmpty()
                .allSatisfy(partition -> assertThatThrownBy(() -> a.hosting.get(partition))
                        .isInstanceOfSatisfying(
                                GatewayException.class,
                                e -> assertThat(e.code()).isEqualTo(ErrorCode.PARTITION_NOT_SERVING)));
    }

    /** The host is not even looked for: there is nothing to forward to. */
    @Test
    void partitionsOfAHostThatVanishedAreRefusedWithoutTryingToReachIt() {
        List<TopicPartition> waiting = ofB();
        cluster.die(b);

        cluster.pass(100);
        assertNobodyServes(waiting);
        assertRefusedAtOnce(waiting);
        cluster.pass(4_800);
        assertNobodyServes(waiting);
        assertRefusedAtOnce(waiting);
        cluster.pass(300);
        assertThat(ofB()).isEmpty();
    }

    @Test
    void aHostThatComesBackInTimeResumesItsOwnPartitions() {
        List<TopicPartition> waiting = ofB();
        cluster.die(b);
        cluster.pass(3_000);
        assertNobodyServes(waiting);

        b = cluster.start("b");
        cluster.pass(200);

        assertThat(waiting).allSatisfy(partition -> {
            assertThat(b.hosting.find(partition)).isNotNull();
            assertThat(a.hosting.otherOwner(partition)).isNotNull();
        });
    }

    @Test
    void aHostThatAnnouncedARestartIsWaitedForMuchLonger() {
        List<TopicPartition> waiting = ofB();
        b.zooKeeper.hosts.announce(cluster.zooKeeper.alive.get("b").with(Intent.RESTART));
        cluster.pass(100);
        assertThat(b.hosting.mayGo()).isTrue();
        cluster.die(b);

        cluster.pass(59_000);
        assertNobodyServes(waiting);
        cluster.pass(2_000);
        assertThat(ofB()).isEmpty();
    }

    /** Nothing has to be fenced, and its last put is there. */
    @Test
    void aHostThatLeavesHandsEverythingOverBeforeItGoes() {
        List<TopicPartition> leaving = ofB();
        PartitionBook book = new PartitionBook(TOPIC, leaving.get(0), cluster.time);
        book.append(b, book.add("the last put", false, Durability.DISK), false);

        b.zooKeeper.hosts.announce(cluster.zooKeeper.alive.get("b").with(Intent.LEAVE));
        assertThat(b.hosting.mayGo()).isFalse();
        cluster.pass(200);

        assertThat(b.hosting.mayGo()).isTrue();
        assertThat(ofB()).isEmpty();
        book.check(a.hosting.get(leaving.get(0)).log());
        assertThat(b.hosting.state()).isEqualTo(HostingState.SERVING);
    }
}
