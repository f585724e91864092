package io.talosgateway.rest.hosting;

import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

import io.prometheus.client.CollectorRegistry;
import io.talosgateway.rest.admission.TimedAnswers;
import io.talosgateway.rest.config.DataSize;
import io.talosgateway.rest.consumergroup.Coordinators;
import io.talosgateway.rest.fetch.FetchConfig;
import io.talosgateway.rest.fetch.FetchService;
import io.talosgateway.rest.journal.JournalConfig;
import io.talosgateway.rest.journal.JournalLayout;
import io.talosgateway.rest.journal.JournalMetrics;
import io.talosgateway.rest.journal.log.PartitionLog;
import io.talosgateway.rest.partition.PartitionService;
import io.talosgateway.rest.placement.PlacementConfig;
import io.talosgateway.rest.placement.PlacementController;
import io.talosgateway.rest.produce.ProduceMetrics;
import io.talosgateway.rest.produce.ProduceService;
import io.talosgateway.rest.routing.MovePatience;
import io.talosgateway.rest.routing.RoutedPartitionService;
import io.talosgateway.rest.serving.LocalPartitionService;
import io.talosgateway.rest.topic.Durability;
import io.talosgateway.rest.transaction.TransactionCoordinator;
import io.talosgateway.rest.transaction.TransactionCoordinators;
import io.talosgateway.scheduler.InlineExecutor;
import io.talosgateway.scheduler.SteppedTime;

/** One life of a simulated host: the real hosting, journal, reads and controller, on simulated threads, ZooKeeper and HDFS. */
final class SimulatedHost {

    private static final Instant EPOCH = Instant.ofEpochMilli(1_700_000_000_000L);
    /** Rolled by age more often than by size. */
    private static final JournalConfig JOURNAL = new JournalConfig(
            JournalLayout.SHARED_LANES,
            2,
            Durability.DISK,
            DataSize.ofKiB(64),
            Duration.ofSeconds(3),
            DataSize.ofKiB(64),
            20,
            DataSize.ofMiB(1),
            100,
            DataSize.ofKiB(4),
            DataSize.ofKiB(16),
            DataSize.ofKiB(256),
            DataSize.ofKiB(256),
            3,
            new DataSize(0),
            1,
            false);

    final String name;
    final SimulatedZooKeeper.Client zooKeeper;
    final SimulatedThreads threads;
    final SimulatedHdfs.View storage;
    final HostedPartitions hosting;
    final LocalPartitionService partitions;
    final TransactionCoordinator transactions;
    /** The partitions of all hosts. */
    final RoutedPartitionService routed;

    final PlacementController controller;
    private final CompletableFuture<Void> begun;
    /** How far the host's wall clock is off. */
    Duration clockOffset;

    private final Duration firstClockOffset;

    boolean paused;
    boolean leaving;
    long leavesAtNanos;

    SimulatedHost(
            String name,
            SimulatedZooKeeper.Client zooKeeper,
            SimulatedHdfs.View storage,
            SteppedTime time,
            Duration clockOffset,
            PlacementConfig placement,
            SimulatedNetwork network) {
        this.name = name;
        this.zooKeeper = zooKeeper;
        this.storage = storage;
        this.clockOffset = clockOffset;
        this.firstClockOffset = clockOffset;
        this.threads = new SimulatedThreads(time::nanoTime);
        this.hosting = new HostedPartitions(
                new HostingConfig(
                        name, JOURNAL, new RecentPutsConfig(Duration.ofHours(1), 1_000, 10_000), Duration.ofSeconds(1)),
                () -> new HostAddress(name + ":80", name + ":81"),
                new ClusterPorts(
                        zooKeeper.hosts,
                        zooKeeper.registry,
                        zooKeeper.records,
                        zooKeeper.placementRecord,
                        zooKeeper.recoveryClaims),
                new HostingParts(
                        storage,
                        Runnable::run,
                        () -> EPOCH.plusNanos(time.elapsedNanos()).plus(this.clockOffset),
                        time,
                        new JournalMetrics(new CollectorRegistry(), time),
                        new HostingMetrics(new CollectorRegistry()),
                        threads));
        this.transactions = TransactionCoordinators.coordinator(
                hosting, zooKeeper.registry, new InlineExecutor<>(), this::routed, time, time);
        this.partitions = new LocalPartitionService(
                hosting,
                new ProduceService(
                        new InlineExecutor<>(),
                        time,
                        Runnable::run,
                        Durability.DISK,
                        time,
                        new ProduceMetrics(new CollectorRegistry())),
                new FetchService(
                        new FetchConfig(1_000, DataSize.ofMiB(1), Duration.ofSeconds(30), 1_000),
                        new InlineExecutor<>(),
                        time,
                        Runnable::run,
                        PartitionLog::readTail,
                        time),
                Coordinators.coordinator(hosting, zooKeeper.registry, new InlineExecutor<>(), time, time),
                transactions,
                new TimedAnswers(time, Runnable::run));
        this.routed = new RoutedPartitionService(
                hosting, partitions, new MovePatience(Duration.ZERO, time, Runnable::run, time), network);
        this.controller = new PlacementController(
                placement, zooKeeper.election, zooKeeper.hosts, zooKeeper.placementRecord, time);
        zooKeeper.election.stand(name);
        this.begun = hosting.begin();
        begun.exceptionally(failure -> {
            SimulationTrace.say(() -> "START of " + name + " failed: " + failure);
            return null;
        });
    }

    private PartitionService routed() {
        return routed;
    }

    /** Somebody sets the clock forward, or right again. */
    void stepClock(Random random) {
        clockOffset = random.nextBoolean() ? firstClockOffset : clockOffset.plusMinutes(random.nextInt(20));
    }

    /** It could not start: its process has ended. */
    boolean hasFailed() {
        return begun.isCompletedExceptionally();
    }
}
