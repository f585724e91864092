package io.talosgateway.rest.hosting;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

import io.prometheus.client.CollectorRegistry;
import io.talosgateway.rest.config.DataSize;
import io.talosgateway.rest.coordination.Placement;
import io.talosgateway.rest.coordination.Placement.PlacedHost;
import io.talosgateway.rest.coordination.Placement.Presence;
import io.talosgateway.rest.coordination.PlacementRecord;
import io.talosgateway.rest.coordination.zookeeper.GeneratedSecret;
import io.talosgateway.rest.coordination.zookeeper.ZooKeeperConfig;
import io.talosgateway.rest.coordination.zookeeper.ZooKeeperCoordination;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.journal.InMemoryJournalStorage;
import io.talosgateway.rest.journal.JournalLayout;
import io.talosgateway.rest.journal.JournalMetrics;
import io.talosgateway.rest.journal.lane.AppendResult;
import io.talosgateway.rest.journal.log.JournalFixture;
import io.talosgateway.rest.topic.Durability;
import io.talosgateway.rest.topic.Quota;
import io.talosgateway.rest.topic.TopicId;
import io.talosgateway.rest.topic.TopicMetadata;
import io.talosgateway.rest.topic.TopicName;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.scheduler.Deadline;
import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Real hosting, journals and ZooKeeper, whose files are replaced by earlier ones; threads, clocks and storage are simulated. */
final class RestoredZooKeeperIT {

    private static final TopicId ID = new TopicId(1, 2);
    private static final long ZOOKEEPER_PAUSE_NANOS = 1_000_000;
    private static final TopicPartition PARTITION = new TopicPartition(ID, 0);

    @TempDir
    Path directory;

    private final Random random = new Random(1);
    private final InMemoryJournalStorage storage = new InMemoryJournalStorage();
    private long nowNanos;
    private TestingServer server;
    private ZooKeeperCoordination coordination;
    private SimulatedThreads threads;
    private HostedPartitions hosting;
    private CompletableFuture<Void> begun;

    @BeforeEach
    void putOnce() throws Exception {
        server = new TestingServer(
                new InstanceSpec(directory.resolve("data").toFile(), -1, -1, -1, false, 1, 500, 1_000), true);
        open();
        coordination
                .placement()
                .replace(PlacementRecord.ABSENT, new Placement(List.of(new PlacedHost("a", Presence.PRESENT))));
        coordination
                .topics()
                .create(new TopicMetadata(
                        new TopicName("t"), ID, "me", 1, Duration.ofHours(1), Map.of(), Map.of(), Quota.UNLIMITED, 0));
        begin();
        put("first");
        end();
        server.stop();
        copy("data", "backup");
        server.restart();
        open();
        begin();
        put("second");
    }

    @AfterEach
    void close() throws IOException {
        coordination.close();
        server.close();
    }

    private void open() throws IOException {
        coordination = ZooKeeperCoordination.open(
                new ZooKeeperConfig(
                        server.getConnectString(),
                        "/talos",
                        directory,
                        null,
                        GeneratedSecret.NONE,
                        Duration.ofSeconds(10),
                        Duration.ofMinutes(1)),
                System::nanoTime,
                InstantSource.system());
    }

    private void startHosting() {
        threads = new SimulatedThreads(() -> nowNanos);
        Instant epoch = Instant.ofEpochMilli(1_700_000_000_000L);
        hosting = new HostedPartitions(
                new HostingConfig(
                        "a",
                        JournalFixture.config(JournalLayout.SHARED_LANES, DataSize.ofKiB(64), DataSize.ofKiB(64)),
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
        begun = hosting.begin();
    }

    private void begin() {
        startHosting();
        await(() -> hosting.find(PARTITION) != null);
    }

    private void end() {
        hosting.end();
        await(() -> hosting.state() == HostingState.ENDED);
        coordination.close();
    }

    private void await(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            nowNanos += 50_000_000;
            while (threads.step(random)) {
                // All there is.
            }
            // ZooKeeper has threads of its own.
            LockSupport.parkNanos(ZOOKEEPER_PAUSE_NANOS);
        }
    }

    private void put(String message) {
        CompletableFuture<AppendResult> outcome = hosting.get(PARTITION)
                .log()
                .append(JournalFixture.batch(message), null, Durability.DISK, Deadline.NONE)
                .outcome();
        await(outcome::isDone);
        assertThat(outcome).isCompleted();
    }

    private void replaceData(String by) throws Exception {
        server.stop();
        copy("data", "newest");
        copy(by, "data");
        server.restart();
    }

    private void copy(String from, String to) throws IOException {
        Path target = directory.resolve(to);
        if (Files.exists(target)) {
            try (Stream<Path> old = Files.walk(target).sorted((a, b) -> b.compareTo(a))) {
                for (Path path : old.toList()) {
                    Files.delete(path);
                }
            }
        }
        try (Stream<Path> paths = Files.walk(directory.resolve(from))) {
            for (Path path : paths.toList()) {
                Files.copy(
                        path,
                        target.resolve(directory.resolve(from).relativize(path).toString()));
            }
        }
    }

    @Test
    void hostThatRunsRefusesUntilTheNewestDataAreBack() throws Exception {
        replaceData("backup");
        await(() -> hosting.whyRefusing() != null);

        assertThat(hosting.state()).isEqualTo(HostingState.ENDED);
        assertThatThrownBy(() -> hosting.get(PARTITION))
                .isInstanceOfSatisfying(
                        GatewayException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.COORDINATION_RESTORED))
                .hasMessageContaining("ZooKeeper was set back to an earlier state")
                .hasMessageContaining("Give ZooKeeper its newest data back");

        server.stop();
        copy("newest", "data");
        server.restart();
        await(() -> hosting.find(PARTITION) != null);
        assertThat(hosting.whyRefusing()).isNull();
        assertThat(hosting.get(PARTITION).log().durableOffset()).isEqualTo(2);
    }

    @Test
    void hostThatStartsRefusesAndTouchesNothing() throws Exception {
        end();
        replaceData("backup");
        open();
        List<String> journals = journals();

        startHosting();
        await(begun::isDone);

        assertThatThrownBy(begun::join)
                .cause()
                .isInstanceOfSatisfying(
                        GatewayException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.COORDINATION_RESTORED));
        assertThat(journals()).isEqualTo(journals);
    }

    private List<String> journals() throws IOException {
        return storage.list("journals/a").stream().map(file -> file.name()).toList();
    }
}
