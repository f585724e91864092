package io.talosgateway.rest.hosting;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.LongSupplier;

import io.prometheus.client.CollectorRegistry;
import io.talosgateway.rest.config.DataSize;
import io.talosgateway.rest.journal.InMemoryJournalStorage;
import io.talosgateway.rest.journal.JournalFixture;
import io.talosgateway.rest.journal.JournalLayout;
import io.talosgateway.rest.journal.JournalMetrics;
import io.talosgateway.rest.journal.JournalStorage;
import io.talosgateway.rest.placement.PlacementConfig;
import io.talosgateway.rest.placement.PlacementController;
import io.talosgateway.rest.topic.Durability;
import io.talosgateway.wire.message.ByteSlice;

/** One life of a simulated host: the real hosting, journal and controller, on simulated threads, ZooKeeper and HDFS. */
final class SimulatedHost {

    final String name;
    final SimulatedZooKeeper.Client zooKeeper;
    final SimulatedThreads threads;
    final HostedPartitions hosting;
    final PlacementController controller;
    final Hooks hooks;
    boolean paused;
    boolean leaving;

    /** What the storage does to this host. */
    static final class Hooks {
        Runnable beforeSync = () -> {};
        boolean failNextSync;
        boolean loseNextSyncReply;
    }

    SimulatedHost(
            String name,
            SimulatedZooKeeper.Client zooKeeper,
            InMemoryJournalStorage memory,
            LongSupplier nowNanos,
            Duration clockOffset,
            PlacementConfig placement) {
        this.name = name;
        this.zooKeeper = zooKeeper;
        this.threads = new SimulatedThreads(nowNanos);
        this.hooks = new Hooks();
        Instant epoch = Instant.ofEpochMilli(1_700_000_000_000L).plus(clockOffset);
        this.hosting = new HostedPartitions(
                new HostingConfig(
                        name,
                        JournalFixture.config(JournalLayout.FILE_PER_PARTITION, DataSize.ofKiB(64), DataSize.ofKiB(64)),
                        new RecentPutsConfig(Duration.ofHours(1), 1_000, 10_000),
                        Duration.ofSeconds(1)),
                () -> new HostAddress(name + ":80", name + ":81"),
                new Cluster(
                        zooKeeper.hosts,
                        zooKeeper.registry,
                        zooKeeper.records,
                        zooKeeper.placementRecord,
                        (journal, done, recovery) -> recovery.run()),
                new HostingParts(
                        new HookedStorage(memory, hooks),
                        Runnable::run,
                        () -> epoch.plusNanos(nowNanos.getAsLong()),
                        nowNanos::getAsLong,
                        new JournalMetrics(new CollectorRegistry(), nowNanos::getAsLong),
                        threads));
        this.controller = new PlacementController(
                placement, zooKeeper.election, zooKeeper.hosts, zooKeeper.placementRecord, nowNanos::getAsLong);
        zooKeeper.election.stand(name);
        hosting.begin();
    }

    /** Storage in memory that fails, or does something else first, when the host syncs. */
    private record HookedStorage(JournalStorage storage, Hooks hooks) implements JournalStorage {

        @Override
        public AppendFile create(String path, long expectedBytes) throws IOException {
            AppendFile file = storage.create(path, expectedBytes);
            return new AppendFile() {
                @Override
                public void write(byte[] bytes, int offset, int length) throws IOException {
                    file.write(bytes, offset, length);
                }

                @Override
                public void sync(Durability level) throws IOException {
                    hooks.beforeSync.run();
                    if (hooks.failNextSync) {
                        hooks.failNextSync = false;
                        throw new IOException("injected");
                    }
                    file.sync(level);
                    if (hooks.loseNextSyncReply) {
                        hooks.loseNextSyncReply = false;
                        throw new IOException("injected, after it was done");
                    }
                }

                @Override
                public void close() throws IOException {
                    file.close();
                }
            };
        }

        @Override
        public ReadFile open(String path) throws IOException {
            return storage.open(path);
        }

        @Override
        public boolean exists(String path) throws IOException {
            return storage.exists(path);
        }

        @Override
        public List<StoredFile> list(String directory) throws IOException {
            return storage.list(directory);
        }

        @Override
        public boolean createWhole(String path, ByteSlice content) throws IOException {
            return storage.createWhole(path, content);
        }

        @Override
        public void delete(String path) throws IOException {
            storage.delete(path);
        }

        @Override
        public void fence(String path) throws IOException {
            storage.fence(path);
        }

        @Override
        public void force(String path) throws IOException {
            storage.force(path);
        }

        @Override
        public boolean truncateExclusive(String path, long length) throws IOException {
            return storage.truncateExclusive(path, length);
        }

        @Override
        public OptionalLong usableBytes() throws IOException {
            return storage.usableBytes();
        }

        @Override
        public String location() {
            return storage.location();
        }

        @Override
        public void close() {
            // It is everybody's.
        }
    }
}
