package io.talosgateway.benchmarks.scaling;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;

import io.prometheus.client.CollectorRegistry;
import io.talosgateway.loadgen.process.Directories;
import io.talosgateway.rest.config.DataSize;
import io.talosgateway.rest.journal.Journal;
import io.talosgateway.rest.journal.JournalConfig;
import io.talosgateway.rest.journal.JournalId;
import io.talosgateway.rest.journal.JournalLayout;
import io.talosgateway.rest.journal.JournalMetrics;
import io.talosgateway.rest.journal.JournalStorage;
import io.talosgateway.rest.journal.JournalThreads;
import io.talosgateway.rest.journal.PartitionHistory;
import io.talosgateway.rest.journal.PartitionLog;
import io.talosgateway.rest.journal.hdfs.HadoopJournalStorage;
import io.talosgateway.rest.journal.hdfs.StorageConfig;
import io.talosgateway.rest.message.MessageBatch;
import io.talosgateway.rest.topic.Durability;
import io.talosgateway.rest.topic.OwnerEpoch;
import io.talosgateway.rest.topic.TopicId;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.scheduler.Deadline;
import io.talosgateway.wire.message.ByteSlice;
import io.talosgateway.wire.message.MessageBlock;

/**
 * Writes a small journal, leaves it as a host does that is killed, and takes it over with the gateway's own code: twice, for
 * the first host finds it open and the others find it sealed. Counts what the storage is asked for. For one thread.
 */
final class JournalProbe implements AutoCloseable {

    private static final JournalId LOST = new JournalId("lost", 1);
    private static final int FILE_BYTES = 1 << 16;

    private final Path directory;
    private final HadoopJournalStorage storage;
    private final Map<String, Integer> calls = new TreeMap<>();
    private final List<Journal> journals = new ArrayList<>();

    JournalProbe() throws IOException {
        directory = Files.createTempDirectory("talos-scaling-");
        storage = HadoopJournalStorage.open(
                new StorageConfig(directory.toUri(), Duration.ofSeconds(10), Duration.ofSeconds(10), Map.of()));
    }

    /** What the first host, and each later one, asks for. */
    record Calls(Map<String, Integer> first, Map<String, Integer> later) {}

    /** @param files of each lane, of which the last is open */
    static Calls count(int lanes, int files) throws IOException, InterruptedException {
        try (JournalProbe probe = new JournalProbe()) {
            probe.write(lanes, files, 1);
            return new Calls(probe.recover(1), probe.recover(2));
        }
    }

    /** Bytes of memory that a host keeps for each partition in each file of a journal that it has taken over. */
    static double memoryForEachExtent() throws IOException, InterruptedException {
        int files = 60;
        int partitions = 40;
        try (JournalProbe probe = new JournalProbe()) {
            probe.write(1, files, partitions);
            probe.recover(1);
            probe.journals.remove(1);
            long before = usedMemory();
            probe.recover(2);
            long after = usedMemory();
            return (double) (after - before) / files / partitions;
        }
    }

    private static long usedMemory() throws InterruptedException {
        Runtime runtime = Runtime.getRuntime();
        for (int round = 0; round < 5; round++) {
            System.gc();
            Thread.sleep(100);
        }
        return runtime.totalMemory() - runtime.freeMemory();
    }

    /**
     * Fills the files; if each has a partition of its own, but for the last of each lane: it is not half full, so that no next one
     * is ready.
     */
    private void write(int lanes, int files, int partitionsOfFile) throws IOException, InterruptedException {
        Journal journal = journal(LOST, lanes, storage);
        int count = partitionsOfFile == 1 ? lanes * files : partitionsOfFile;
        List<PartitionLog> logs = new ArrayList<>();
        for (int number = 0; number < count; number++) {
            TopicPartition partition = new TopicPartition(new TopicId(1, 2), number);
            logs.add(journal.open(partition, OwnerEpoch.NONE.next(), Duration.ofDays(1), PartitionHistory.NONE));
        }
        for (int round = 0; round < lanes * files * partitionsOfFile / count; round++) {
            for (int number = 0; number < count; number++) {
                boolean fills = partitionsOfFile > 1 || number < count - lanes;
                put(logs.get(number), new byte[fills ? FILE_BYTES / partitionsOfFile : 1]);
            }
        }
    }

    private static void put(PartitionLog log, byte[] payload) throws IOException, InterruptedException {
        MessageBatch batch =
                new MessageBatch(List.of(new MessageBlock(1, 0, new ByteSlice(payload), 1, ByteSlice.EMPTY)));
        try {
            log.append(batch, null, Durability.MEMORY, Deadline.NONE).outcome().get();
        } catch (ExecutionException e) {
            throw new IOException("The journal could not be written", e);
        }
    }

    private Map<String, Integer> recover(int number) throws IOException {
        Journal journal = journal(new JournalId("host-" + number, 1), 1, counting());
        calls.clear();
        // As a claim asks, before it is waited for.
        journal.archive().wasRecovered(LOST);
        journal.archive().recover(LOST, done -> {});
        return Map.copyOf(calls);
    }

    private Journal journal(JournalId id, int lanes, JournalStorage on) throws IOException {
        JournalConfig config = new JournalConfig(
                JournalLayout.SHARED_LANES,
                lanes,
                Durability.MEMORY,
                new DataSize(FILE_BYTES),
                Duration.ofHours(1),
                DataSize.ofMiB(4),
                1000,
                DataSize.ofMiB(16),
                1000,
                DataSize.ofKiB(1),
                DataSize.ofKiB(64),
                DataSize.ofKiB(64),
                DataSize.ofKiB(64),
                JournalConfig.INDEXED_FILES,
                new DataSize(0),
                1,
                false);
        Journal journal = new Journal(
                id,
                config,
                on,
                Runnable::run,
                new AtOnce(),
                () -> Instant.ofEpochMilli(1_700_000_000_000L),
                new JournalMetrics(new CollectorRegistry(), System::nanoTime));
        journal.begin();
        journals.add(journal);
        return journal;
    }

    private JournalStorage counting() {
        return (JournalStorage) Proxy.newProxyInstance(
                JournalStorage.class.getClassLoader(),
                new Class<?>[] {JournalStorage.class},
                (proxy, method, arguments) -> {
                    synchronized (calls) {
                        calls.merge(method.getName(), 1, Integer::sum);
                    }
                    try {
                        return method.invoke(storage, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @Override
    public void close() throws IOException {
        try {
            for (Journal journal : journals) {
                journal.close();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        storage.close();
        Directories.delete(directory);
    }

    /** Seals files when they are full, so that it is known which are. */
    private static final class AtOnce implements JournalThreads {

        @Override
        public void seal(Runnable task) {
            task.run();
        }

        @Override
        public void sealLater(Runnable task, long delayMs) {}

        @Override
        public Executor files() {
            return Runnable::run;
        }

        @Override
        public void close() {}
    }
}
