package io.talosgateway.rest.coordination.zookeeper;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

import com.google.common.collect.Lists;
import io.talosgateway.rest.coordination.HostInfo;
import io.talosgateway.rest.coordination.OwnershipRecord;
import io.talosgateway.rest.coordination.OwnershipRecord.JournalReference;
import io.talosgateway.rest.coordination.OwnershipRecords.Versioned;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.topic.OwnerEpoch;
import io.talosgateway.rest.topic.TopicMetadata;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.api.transaction.CuratorOp;
import org.apache.curator.retry.RetryOneTime;
import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingServer;
import org.apache.zookeeper.CreateMode;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static io.talosgateway.rest.coordination.zookeeper.CoordinationContract.assertFails;
import static io.talosgateway.rest.coordination.zookeeper.CoordinationContract.open;
import static io.talosgateway.rest.coordination.zookeeper.CoordinationContract.topic;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** How the nodes are laid out, with more topics than ZooKeeper lists in one answer, and how those of earlier builds are read. */
final class ClusterLayoutIT {

    /** As many names of 80 characters as no answer of 1,048,575 bytes has room for, at 84 bytes each. */
    private static final int MANY = 12_500;

    private static final AtomicInteger roots = new AtomicInteger();

    @TempDir
    static Path directory;

    private static TestingServer server;

    private final String root = "/talos-" + roots.incrementAndGet();
    private final String flatTopics = root + "/topics";
    private final String flatRecords = root + "/partitions";
    private CuratorFramework other;

    @BeforeAll
    static void startServer() throws Exception {
        server = new TestingServer(new InstanceSpec(directory.toFile(), -1, -1, -1, false, 1, 3_000, 1_000), true);
    }

    @AfterAll
    static void stopServer() throws IOException {
        server.close();
    }

    @BeforeEach
    void connect() {
        other = CuratorFrameworkFactory.newClient(server.getConnectString(), new RetryOneTime(100));
        other.start();
    }

    @AfterEach
    void disconnect() {
        other.close();
    }

    private ZooKeeperConfig config() {
        return new ZooKeeperConfig(
                server.getConnectString(),
                root,
                directory,
                null,
                GeneratedSecret.NONE,
                Duration.ofSeconds(15),
                Duration.ofMinutes(2));
    }

    private static String longName(int number) {
        return "t".repeat(74) + "%06d".formatted(number);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static OwnershipRecord record(long endOffset) {
        return new OwnershipRecord(
                "a",
                1,
                new OwnerEpoch(1),
                List.of(new JournalReference("a", 1, new OwnerEpoch(1), 0, 0)),
                0,
                endOffset,
                0,
                false);
    }

    /** As earlier builds wrote it. */
    private void createEarlierCluster() throws Exception {
        other.create()
                .creatingParentsIfNeeded()
                .forPath(root + "/cluster", utf8("{\"version\":1,\"id\":\"c-1\",\"format\":1,\"secret\":null}"));
        other.create().forPath(flatTopics);
        other.create().forPath(flatRecords);
    }

    private void createFlat(List<TopicMetadata> topics) throws Exception {
        createFlat(topics, topics);
    }

    /** @param owned those whose partitions have had an owner */
    private void createFlat(List<TopicMetadata> topics, List<TopicMetadata> owned) throws Exception {
        List<CuratorOp> operations = new ArrayList<>();
        for (TopicMetadata topic : topics) {
            operations.add(
                    other.transactionOp().create().forPath(flatTopics + "/" + topic.name(), RecordJson.encode(topic)));
        }
        for (TopicMetadata topic : owned) {
            operations.add(other.transactionOp().create().forPath(flatRecords + "/" + topic.id()));
            for (int partition = 0; partition < topic.partitions(); partition++) {
                operations.add(other.transactionOp()
                        .create()
                        .forPath(
                                flatRecords + "/" + topic.id() + "/" + partition,
                                RecordJson.encode(record(100 + partition))));
            }
        }
        for (List<CuratorOp> some : Lists.partition(operations, 1_000)) {
            other.transaction().forOperations(some);
        }
    }

    private int format() throws Exception {
        return RecordJson.read(other.getData().forPath(root + "/cluster"), ClusterLayout.ClusterJson.class)
                .format();
    }

    /** The second start finds those that the first has moved. */
    @Test
    void topicsOfAnEarlierBuildAreMovedHoweverManyThereAre() throws Exception {
        createEarlierCluster();
        List<TopicMetadata> topics = new ArrayList<>();
        List<TopicMetadata> owned = new ArrayList<>();
        for (int number = 0; number < MANY; number++) {
            TopicMetadata topic = topic(longName(number), number % 100 == 0 ? 2 : 1);
            topics.add(topic);
            if (number % 10 == 0) {
                owned.add(topic);
            }
        }
        createFlat(topics, owned);
        assertThatThrownBy(() -> other.getChildren().forPath(flatTopics))
                .as("what the next start has to list")
                .isInstanceOf(Exception.class);

        for (int start = 0; start < 2; start++) {
            try (ZooKeeperCoordination coordination = open(config())) {
                assertThat(coordination.clusterId()).isEqualTo("c-1");
                // As sets: to compare lists in any order takes the square of their length.
                assertThat(coordination.topics().all()).hasSize(MANY);
                assertThat(Set.copyOf(coordination.topics().all())).isEqualTo(Set.copyOf(topics));
                assertThat(coordination.topics().idsNow()).hasSize(MANY);
                assertThat(coordination.topics().usage().topics()).isEqualTo(MANY);
                assertThat(Set.copyOf(coordination.ownership().topics()))
                        .isEqualTo(owned.stream().map(TopicMetadata::id).collect(Collectors.toSet()));
                TopicMetadata two = topics.get(100);
                assertThat(coordination.ownership().read(two.allPartitions().toList()))
                        .hasSize(2)
                        .containsEntry(two.partition(1), new Versioned(record(101), 0));
            }
        }

        assertThat(format()).isEqualTo(2);
        assertThat(other.getChildren().forPath(flatTopics)).containsExactly(EarlierLayout.GUARD);
        assertThat(other.checkExists().forPath(flatRecords)).isNull();
    }

    /** An earlier build starts with no topic that it cannot read, and deletes nothing if there comes to be one. */
    @Test
    void earlierBuildCannotReadWhatIsLeftOfItsTopics() throws Exception {
        createEarlierCluster();
        open(config()).close();

        byte[] guard = other.getData().forPath(flatTopics + "/" + EarlierLayout.GUARD);

        assertThatThrownBy(() -> RecordJson.topic(guard)).isInstanceOf(RecordJson.NewerVersionException.class);
        assertThat(format()).isEqualTo(2);
    }

    @Test
    void whatAnEarlierAttemptToMoveHasCopiedIsNotTakenForTrue() throws Exception {
        createEarlierCluster();
        TopicMetadata kept = topic("kept", 1);
        createFlat(List.of(kept));
        TopicMetadata deletedSince = topic("deleted-since", 1);
        for (String path : List.of("/topic-directory", "/ownership")) {
            other.create().forPath(root + path);
        }
        String copy = Shards.pathOf(root + "/topic-directory", "deleted-since");
        other.create().creatingParentsIfNeeded().forPath(copy, RecordJson.encode(deletedSince));
        String old = Shards.pathOf(root + "/ownership", kept.id()) + "/0";
        other.create().creatingParentsIfNeeded().forPath(old, RecordJson.encode(record(7)));

        try (ZooKeeperCoordination coordination = open(config())) {
            assertThat(coordination.topics().all()).containsExactly(kept);
            assertThat(coordination.ownership().read(List.of(kept.partition(0))))
                    .containsEntry(kept.partition(0), new Versioned(record(100), 0));
        }
    }

    @Test
    void whatAFailureHasLeftAfterTheMoveIsDeletedAndNotRead() throws Exception {
        createEarlierCluster();
        createFlat(List.of(topic("first", 1)));
        open(config()).close();
        other.create().forPath(flatRecords);
        createFlat(List.of(topic("left", 1)));

        try (ZooKeeperCoordination coordination = open(config())) {
            assertThat(coordination.topics().all()).hasSize(1);
        }

        assertThat(other.getChildren().forPath(flatTopics)).containsExactly(EarlierLayout.GUARD);
        assertThat(other.checkExists().forPath(flatRecords)).isNull();
    }

    @Test
    void nothingIsMovedWhileHostsRunThatMayBeOfAnEarlierBuild() throws Exception {
        createEarlierCluster();
        createFlat(List.of(topic("t", 1)));
        other.create()
                .creatingParentsIfNeeded()
                .withMode(CreateMode.EPHEMERAL)
                .forPath(root + "/hosts/b", RecordJson.write(new HostInfo("b", 1, "", "", HostInfo.Intent.SERVE)));

        assertThatThrownBy(() -> open(config()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("hosts are running that may be of that build: b. Stop all hosts once");
        assertThat(format()).isEqualTo(1);
        assertThat(other.getChildren().forPath(flatTopics)).containsExactly("t");

        other.delete().forPath(root + "/hosts/b");
        try (ZooKeeperCoordination coordination = open(config())) {
            assertThat(coordination.topics().all()).hasSize(1);
        }
    }

    @Test
    void topicOfAnEarlierBuildThatCannotBeReadStopsTheMove() throws Exception {
        createEarlierCluster();
        createFlat(List.of(topic("t", 1)));
        other.create().forPath(flatTopics + "/broken", utf8("garbage"));

        assertThatThrownBy(() -> open(config()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(flatTopics + "/broken in ZooKeeper is not a topic's metadata");
        assertThat(format()).isEqualTo(1);
        assertThat(other.getChildren().forPath(flatTopics)).contains("t", "broken");
    }

    @Test
    void shardThatIsMissingIsNotTakenForOneWithoutTopics() throws Exception {
        TopicMetadata topic = topic("t", 1);
        String path = Shards.pathOf(root + "/topic-directory", "t");
        String shard = path.substring(0, path.length() - 2);
        try (ZooKeeperCoordination coordination = open(config())) {
            coordination.createClusterId();
            coordination.topics().create(topic);
            other.delete().deletingChildrenIfNeeded().forPath(shard);

            assertThatThrownBy(coordination.topics()::idsNow)
                    .isInstanceOf(GatewayException.class)
                    .hasMessageContaining(shard);
        }
        assertThatThrownBy(() -> open(config()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(shard + " is missing");
    }

    @Test
    void topicWhoseRecordIsTooLargeIsRefusedWithItsSize() throws Exception {
        try (ZooKeeperCoordination coordination = open(config())) {
            TopicMetadata small = topic("t", 1);
            coordination.topics().create(small);
            // Each is one character, and six bytes as JSON.
            TopicMetadata large = small.with(1, small.retention(), Map.of("control", "\u0001".repeat(11_000)));
            assertFails(
                    ErrorCode.INVALID_TOPIC_PARAMETERS,
                    () -> coordination.topics().update(small, large));
            assertThatThrownBy(() -> coordination.topics().update(small, large))
                    .hasMessageContainingAll("has 66", "bytes as JSON; 65536 are allowed");
            TopicMetadata larger = small.with(1, small.retention(), Map.of("plain", "x".repeat(70_000)));
            assertThatThrownBy(() -> coordination.topics().update(small, larger))
                    .hasMessageContaining("has at least 70008 bytes as JSON; 65536 are allowed");
            assertThat(coordination.topics().find(small.name())).isEqualTo(small);
            coordination.topics().delete(small);
            assertFails(
                    ErrorCode.INVALID_TOPIC_PARAMETERS,
                    () -> coordination.topics().create(large));
        }
    }
}
