package io.talosgateway.rest.hosting;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

import io.prometheus.client.CollectorRegistry;
import io.talosgateway.rest.config.DataSize;
import io.talosgateway.rest.coordination.OwnershipRecord;
import io.talosgateway.rest.coordination.OwnershipRecords.Change;
import io.talosgateway.rest.coordination.OwnershipRecords.Versioned;
import io.talosgateway.rest.coordination.Placement;
import io.talosgateway.rest.coordination.Placement.PlacedHost;
import io.talosgateway.rest.coordination.Placement.Presence;
import io.talosgateway.rest.coordination.PlacementRecord;
import io.talosgateway.rest.coordination.zookeeper.GeneratedSecret;
import io.talosgateway.rest.coordination.zookeeper.Shards;
import io.talosgateway.rest.coordination.zookeeper.ZooKeeperConfig;
import io.talosgateway.rest.coordination.zookeeper.ZooKeeperCoordination;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.journal.InMemoryJournalStorage;
import io.talosgateway.rest.journal.JournalLayout;
import io.talosgateway.rest.journal.JournalMetrics;
import io.talosgateway.rest.journal.JournalStorage;
import io.talosgateway.rest.journal.log.JournalFixture;
import io.talosgateway.rest.peer.LogLines;
import io.talosgateway.rest.topic.Durability;
import io.talosgateway.rest.topic.Quota;
import io.talosgateway.rest.topic.TopicId;
import io.talosgateway.rest.topic.TopicMetadata;
import io.talosgateway.rest.topic.TopicName;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.scheduler.Deadline;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Real hosting, journals and ZooKeeper; the threads and the clocks are simulated. */
final class UpkeepIT {

    private static final AtomicInteger ROOTS = new AtomicInteger();
    private static final String HOST = "a";
    private static final TopicId ID = new TopicId(1, 2);
    private static final TopicPartition PARTITION = new TopicPartition(ID, 0);
    private static final String READABLE =
            "{'version':1,'name':'t','id':'%s','ownerId':'me','partitions':1,'retentionMs':3600000,'attributes':{},'acl':{},"
                            .formatted(ID)
                    + "'quota':{},'createdAtMs':0}";

    @TempDir
    static Path directory;

    private static TestingServer server;

    private final String root = "/talos-" + ROOTS.incrementAndGet();
    private final String node = Shards.pathOf(root + "/topic-directory", "t");
    private final Random random = new Random(1);
    private final InMemoryJournalStorage storage = new InMemoryJournalStorage();
    private long nowNanos;
    private CuratorFramework other;
    private ZooKeeperCoordination coordination;
    private SimulatedThreads threads;
    private HostedPartitions hosting;

    @BeforeAll
    static void startServer() throws Exception {
        server = new TestingServer(new InstanceSpec(directory.toFile(), -1, -1, -1, false, 1, 500, 1_000), true);
    }

    @AfterAll
    static void stopServer() throws IOException {
        server.close();
    }

    @BeforeEach
    void open() throws Exception {
        other = CuratorFrameworkFactory.newClient(server.getConnectString(), new RetryOneTime(1));
        other.start();
        coordination = ZooKeeperCoordination.open(
                new ZooKeeperConfig(
                        server.getConnectString(),
                        root,
                        directory,
                        null,
                        GeneratedSecret.NONE,
                        Duration.ofSeconds(10),
                        Duration.ofSeconds(10)),
                System::nanoTime,
                InstantSource.system());
        coordination
                .placement()
                .replace(PlacementRecord.ABSENT, new Placement(List.of(new PlacedHost(HOST, Presence.PRESENT))));
        create("t", ID);
        begin();
        put(PARTITION);
    }

    private void create(String name, TopicId id) {
        coordination
                .topics()
                .create(new TopicMetadata(
                        new TopicName(name), id, "me", 1, Duration.ofHours(1), Map.of(), Map.of(), Quota.UNLIMITED, 0));
    }

    private long put(TopicPartition partition) {
        return hosting.get(partition)
                .log()
                .append(JournalFixture.batch("message"), null, Durability.DISK, Deadline.NONE)
                .outcome()
                .join()
                .firstOffset();
    }

    @AfterEach
    void close() {
        coordination.close();
        other.close();
    }

    /** Another life of the host, that takes its partitions over. */
    private void begin() {
        threads = new SimulatedThreads(() -> nowNanos);
        Instant epoch = Instant.ofEpochMilli(1_700_000_000_000L);
        hosting = new HostedPartitions(
                new HostingConfig(
                        HOST,
                        JournalFixture.config(JournalLayout.FILE_PER_PARTITION, DataSize.ofKiB(64), DataSize.ofKiB(64)),
                        new RecentPutsConfig(Duration.ofHours(1), 1_000, 10_000),
                        Duration.ofSeconds(1)),
                () -> new HostAddress("a:80", "a:81"),
                new ClusterPorts(
                        coordination.hosts(),
                        coordination.topics(),
                        coordination.ownership(),
                        coordination.placement(),
                        coordination.claims()),
                new HostingParts(
                        storage,
                        Runnable::run,
                        () -> epoch.plusNanos(nowNanos),
                        () -> nowNanos,
                        new JournalMetrics(new CollectorRegistry(), () -> nowNanos),
                        new HostingMetrics(new CollectorRegistry()),
                        threads));
        CompletableFuture<Void> begun = hosting.begin();
        await(begun::isDone);
        assertThat(begun).isCompleted();
        if (coordination.topics().find(ID) != null) {
            await(() -> hosting.find(PARTITION) != null);
        }
    }

    private void end() {
        hosting.end();
        await(() -> hosting.state() == HostingState.ENDED);
    }

    private void await(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            nowNanos += 50_000_000;
            while (threads.step(random)) {
                // All there is.
            }
        }
    }

    private void write(String text) throws Exception {
        write(node, text);
    }

    private void write(String path, String text) throws Exception {
        byte[] data = text.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
        other.create().orSetData().forPath(path, data);
    }

    private void pass(Duration time) {
        nowNanos += time.toNanos();
    }

    private List<String> files() throws IOException {
        List<String> files = new ArrayList<>();
        addFiles("journals/" + HOST, files);
        return files;
    }

    private void addFiles(String parent, List<String> files) throws IOException {
        for (JournalStorage.StoredFile file : storage.list(parent)) {
            String path = parent + "/" + file.name();
            if (file.directory()) {
                addFiles(path, files);
            } else if (path.contains("partition-")) {
                files.add(path);
            }
        }
    }

    private boolean isUnreadable() {
        return coordination.topics().unreadable().contains(node);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{'version':2,'anything':'else'}", "garbage", "{}", "null", ""})
    void retentionStopsWhileATopicThatIsServedCannotBeRead(String unreadable) throws Exception {
        // Upkeep ends the old file; the sealer does the rest, so that the next upkeep could delete it.
        pass(Duration.ofMinutes(61));
        hosting.doUpkeep();
        threads.drain(random);
        assertThat(hosting.get(PARTITION).log().logStartOffset()).isZero();
        write(unreadable);
        await(this::isUnreadable);
        pass(Duration.ofHours(2));

        hosting.doUpkeep();

        assertThat(hosting.get(PARTITION).log().logStartOffset()).isZero();
        write(READABLE);
        await(() -> !isUnreadable());
        hosting.doUpkeep();
        assertThat(hosting.get(PARTITION).log().logStartOffset()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{'version':2,'anything':'else'}", "garbage", "{}", "null", ""})
    void nothingOfATopicThatCannotBeReadIsDeletedByANewIncarnation(String unreadable) throws Exception {
        end();
        other.delete().forPath(node);
        await(() -> coordination.topics().find(ID) == null);
        write(unreadable);
        await(this::isUnreadable);
        List<String> files = files();
        assertThat(files).isNotEmpty();

        begin();
        hosting.doUpkeep();

        assertThat(coordination.ownership().topics()).containsExactly(ID);
        assertThat(files()).containsAll(files);
        // Repaired, under the same id: as if nothing had been.
        write(READABLE);
        await(() -> !isUnreadable());
        hosting.doUpkeep();
        assertThat(coordination.ownership().topics()).containsExactly(ID);
        assertThat(files()).containsAll(files);
        // Deleted by somebody who knows what he does.
        other.delete().forPath(node);
        await(() -> coordination.topics().unreadable().isEmpty()
                && !coordination.topics().idsNow().contains(ID));
        end();
        begin();
        hosting.doUpkeep();
        assertThat(coordination.ownership().topics()).isEmpty();
        assertThat(files()).doesNotContainAnyElementsOf(files);
    }

    @Test
    void recordsThatCouldNotBeDeletedAtTheBeginningAreDeletedLater() throws Exception {
        end();
        other.delete().forPath(node);
        await(() -> coordination.topics().find(ID) == null);
        String another = Shards.pathOf(root + "/topic-directory", "another");
        other.create().forPath(another, "garbage".getBytes(StandardCharsets.UTF_8));
        await(() -> !coordination.topics().unreadable().isEmpty());
        begin();
        assertThat(coordination.ownership().topics()).containsExactly(ID);

        other.delete().forPath(another);
        await(() -> coordination.topics().unreadable().isEmpty());
        hosting.doUpkeep();

        assertThat(coordination.ownership().topics()).isEmpty();
    }

    /** As their next owner does, with the retention of its topic. */
    private void expireMessages(TopicPartition partition) throws Exception {
        Versioned record = coordination.ownership().read(List.of(partition)).get(partition);
        OwnershipRecord expired =
                record.ownership().withStart(1, record.ownership().totalBytes());
        coordination.ownership().write(List.of(new Change(partition, record.version(), expired)));
    }

    @Test
    void recordThatCannotBeReadKeepsItsPartitionOnlyFromBeingServed() throws Exception {
        TopicPartition broken = new TopicPartition(new TopicId(3, 4), 0);
        create("broken", broken.topic());
        await(() -> hosting.find(broken) != null);
        put(broken);
        place("another");
        await(() -> hosting.find(PARTITION) == null && hosting.find(broken) == null);
        String path = Shards.pathOf(root + "/ownership", broken.topic()) + "/0";
        byte[] readable = other.getData().forPath(path);
        write(path, "garbage");
        place(HOST);
        await(() -> hosting.find(PARTITION) != null && hosting.refused() == 1);

        assertThat(put(PARTITION)).isEqualTo(1);
        assertThatThrownBy(() -> hosting.get(broken)).isInstanceOfSatisfying(GatewayException.class, e -> {
            assertThat(e.code()).isEqualTo(ErrorCode.STORAGE_CORRUPT);
            assertThat(e.getMessage()).contains(broken.toString(), path, "Restore it from a copy of ZooKeeper");
        });
        other.setData().forPath(path, readable);
        await(() -> hosting.find(broken) != null);
        assertThat(put(broken)).isEqualTo(1);
    }

    private void place(String host) {
        coordination
                .placement()
                .replace(
                        coordination.placement().current().version(),
                        new Placement(List.of(new PlacedHost(host, Presence.PRESENT))));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{'version':3,'anything':'else'}", "garbage", "{}", ""})
    void recordThatCannotBeReadKeepsTheFilesOfItsPartitionOnly(String unreadable) throws Exception {
        TopicPartition broken = new TopicPartition(new TopicId(3, 4), 0);
        create("broken", broken.topic());
        await(() -> hosting.find(broken) != null);
        put(broken);
        place("another");
        await(() -> hosting.find(PARTITION) == null && hosting.find(broken) == null);
        assertThat(files()).hasSize(2);
        expireMessages(PARTITION);
        expireMessages(broken);
        String path = Shards.pathOf(root + "/ownership", broken.topic()) + "/0";
        byte[] readable = other.getData().forPath(path);
        write(path, unreadable);
        pass(Duration.ofHours(2));

        try (LogLines log = new LogLines(Upkeep.class)) {
            hosting.doUpkeep();
            hosting.doUpkeep();
            assertThat(files()).hasSize(1);
            assertThat(log.texts())
                    .singleElement()
                    .asString()
                    .contains(broken.toString(), path + " is not an ownership record", "Restore the record");

            other.setData().forPath(path, readable);
            hosting.doUpkeep();
            assertThat(files()).isEmpty();
            assertThat(log.texts()).hasSize(1);
        }
    }

    /** Nor does it take the number of a journal that is gone, of which records may tell. */
    @Test
    void hostWhoseCounterWasSetBackBeginsAboveTheJournalsInTheStorage() throws Exception {
        end();
        pass(Duration.ofHours(2));
        begin();
        assertThat(put(PARTITION)).isEqualTo(1);
        hosting.doUpkeep();
        end();
        assertThat(storage.list("journals/" + HOST))
                .extracting(JournalStorage.StoredFile::name)
                .containsExactly("0000000002");
        write(root + "/incarnations/" + HOST, "0");

        begin();

        assertThat(hosting.incarnationNumber()).isEqualTo(3);
        assertThat(put(PARTITION)).isEqualTo(2);
    }
}
