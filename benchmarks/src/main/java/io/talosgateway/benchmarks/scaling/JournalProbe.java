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
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

import com.google.common.collect.ImmutableSet;
import io.prometheus.client.CollectorRegistry;
import io.talosgateway.loadgen.process.Directories;
import io.talosgateway.rest.config.DataSize;
import io.talosgateway.rest.journal.JournalConfig;
import io.talosgateway.rest.journal.JournalId;
import io.talosgateway.rest.journal.JournalLayout;
import io.talosgateway.rest.journal.JournalMetrics;
import io.talosgateway.rest.journal.JournalSpan;
import io.talosgateway.rest.journal.JournalStorage;
import io.talosgateway.rest.journal.JournalThreads;
import io.talosgateway.rest.journal.LaneCommitter;
import io.talosgateway.rest.journal.OwnJournalThreads;
import io.talosgateway.rest.journal.hdfs.HadoopJournalStorage;
import io.talosgateway.rest.journal.hdfs.StorageConfig;
import io.talosgateway.rest.journal.log.Journal;
import io.talosgateway.rest.journal.log.PartitionLog;
import io.talosgateway.rest.journal.recovery.JournalArchive;
import io.talosgateway.rest.journal.recovery.PartitionHistory;
import io.talosgateway.rest.journal.recovery.RecordedPartition;
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
    private static final String LOST_DIRECTORY = "journals/lost/0000000001";
    private static final int FILE_BYTES = 1 << 16;
    /** Of a lane, that its writer indexes together. */
    static final int INDEXED_FILES = 2;
    /** More than are written: all files stay loose. */
    private static final int NONE_INDEXED = 1 << 20;

    private static final TopicId TOPIC = new TopicId(1, 2);
    private static final long MILLIS_OF_PUT = 2;
    private static final int MEASURED_FILES = 60;
    private static final int MEASURED_PARTITIONS = 40;

    private final Path directory;
    private final int fileBytes;
    private final int indexedFiles;
    private final AtomicLong nowMs = new AtomicLong(1_700_000_000_000L);
    private final HadoopJournalStorage storage;
    private final Map<String, Integer> calls = new TreeMap<>();
    private final List<Journal> journals = new ArrayList<>();
    private final List<PartitionHistory> histories = new ArrayList<>();

    private JournalProbe(int fileBytes, int indexedFiles) throws IOException {
        this.fileBytes = fileBytes;
        this.indexedFiles = indexedFiles;
        directory = Files.createTempDirectory("talos-scaling-");
        storage = HadoopJournalStorage.open(
                new StorageConfig(directory.toUri(), Duration.ofSeconds(10), Duration.ofSeconds(10), Map.of()));
    }

    /** What the first host, and each later one, asks for. */
    record Calls(Map<String, Integer> first, Map<String, Integer> later) {}

    /** @param sealed files of each lane, beside one that is open */
    static Calls count(int lanes, int sealed) throws IOException, InterruptedException {
        try (JournalProbe probe = new JournalProbe(FILE_BYTES, INDEXED_FILES)) {
            int files = sealed + 1;
            probe.write(lanes, files, 1);
            Set<TopicPartition> all = partitions(lanes * files);
            return new Calls(probe.takeOver(1, all), probe.takeOver(2, all));
        }
    }

    /** Index files that the writer of a journal of one lane leaves. */
    static int countIndexFiles(int sealed) throws IOException, InterruptedException {
        try (JournalProbe probe = new JournalProbe(FILE_BYTES, INDEXED_FILES)) {
            probe.write(1, sealed + 1, 1);
            return probe.indexFiles().size();
        }
    }

    /** Bytes of a partition in an index file for each journal file that has a hundred or so messages of it. */
    static double bytesOfRow() throws IOException, InterruptedException {
        int files = 40;
        int partitions = 10;
        try (JournalProbe probe = new JournalProbe(FILE_BYTES << 4, files)) {
            Journal journal = probe.journal(LOST, 1, probe.storage);
            List<PartitionLog> logs = open(journal, partitions);
            while (probe.indexFiles().isEmpty()) {
                for (int put = 0; put < 100; put++) {
                    for (PartitionLog log : logs) {
                        probe.put(log, new byte[1000]);
                    }
                }
            }
            long bytes = probe.indexFiles().get(0).length();
            return (bytes - LostJournal.headBytes(files, partitions)) / files / partitions;
        }
    }

    /**
     * Bytes of memory for each partition in each file.
     *
     * @param own of a host's own journal, of which it keeps the whole
     * @param taken of another one, of which it has taken single partitions
     */
    record Memory(double own, double taken) {}

    static Memory memory() throws IOException, InterruptedException {
        return new Memory(memory(NONE_INDEXED, Set.of()), memory(INDEXED_FILES, partitions(MEASURED_PARTITIONS)));
    }

    /** @param taken one after the other, as by hosts of which each takes one of a journal */
    private static double memory(int indexedFiles, Set<TopicPartition> taken) throws IOException, InterruptedException {
        try (JournalProbe probe = new JournalProbe(FILE_BYTES, indexedFiles)) {
            probe.write(1, MEASURED_FILES, MEASURED_PARTITIONS);
            // Loads what has to be loaded once.
            probe.takeOver(1, taken);
            probe.forgetLast();
            long before = usedMemory();
            probe.takeOver(2, Set.of());
            for (TopicPartition partition : taken) {
                probe.histories.addAll(probe.histories(Set.of(partition)));
            }
            long after = usedMemory();
            probe.forgetLast();
            return (double) (after - before) / MEASURED_FILES / MEASURED_PARTITIONS;
        }
    }

    private void forgetLast() {
        journals.remove(journals.size() - 1);
        histories.clear();
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
        List<PartitionLog> logs = open(journal, count);
        for (int round = 0; round < lanes * files * partitionsOfFile / count; round++) {
            for (int number = 0; number < count; number++) {
                boolean fills = partitionsOfFile > 1 || number < count - lanes;
                put(logs.get(number), new byte[fills ? FILE_BYTES / partitionsOfFile : 1]);
            }
        }
    }

    private static List<PartitionLog> open(Journal journal, int count) {
        return partitions(count).stream()
                .map(partition ->
                        journal.open(partition, OwnerEpoch.NONE.next(), Duration.ofDays(1), PartitionHistory.NONE))
                .toList();
    }

    private static Set<TopicPartition> partitions(int count) {
        return IntStream.range(0, count)
                .mapToObj(number -> new TopicPartition(TOPIC, number))
                .collect(ImmutableSet.toImmutableSet());
    }

    private void put(PartitionLog log, byte[] payload) throws IOException, InterruptedException {
        nowMs.addAndGet(MILLIS_OF_PUT);
        MessageBatch batch =
                new MessageBatch(List.of(new MessageBlock(1, 0, new ByteSlice(payload), 1, ByteSlice.EMPTY)));
        try {
            log.append(batch, null, Durability.MEMORY, Deadline.NONE).outcome().get();
        } catch (ExecutionException e) {
            throw new IOException("The journal could not be written", e);
        }
    }

    /** As a host that takes some partitions. */
    private Map<String, Integer> takeOver(int number, Set<TopicPartition> taken) throws IOException {
        Journal journal = journal(new JournalId("host-" + number, 1), 1, counting());
        calls.clear();
        // As a claim asks, before it is waited for.
        journal.archive().wasRecovered(LOST);
        journal.archive().recover(LOST, done -> {});
        histories.addAll(histories(taken));
        return Map.copyOf(calls);
    }

    /** What the host that was the last to take the journal over finds. */
    private List<PartitionHistory> histories(Set<TopicPartition> taken) throws IOException {
        JournalArchive archive = journals.get(journals.size() - 1).archive();
        List<RecordedPartition> recorded = taken.stream()
                .map(partition -> new RecordedPartition(
                        partition, List.of(new JournalSpan(LOST, OwnerEpoch.NONE.next(), 0, 0)), 0, 0, 0, false))
                .toList();
        return archive.histories(recorded, archive.keyedPuts(Long.MAX_VALUE, 1, taken));
    }

    private List<JournalStorage.StoredFile> indexFiles() throws IOException {
        return storage.list(LOST_DIRECTORY).stream()
                .filter(file -> file.name().endsWith(".index"))
                .toList();
    }

    private Journal journal(JournalId id, int lanes, JournalStorage on) throws IOException {
        JournalConfig config = new JournalConfig(
                JournalLayout.SHARED_LANES,
                lanes,
                Durability.MEMORY,
                new DataSize(fileBytes),
                Duration.ofHours(1),
                DataSize.ofMiB(4),
                1000,
                DataSize.ofMiB(16),
                1000,
                DataSize.ofKiB(1),
                DataSize.ofKiB(64),
                DataSize.ofKiB(64),
                DataSize.ofKiB(64),
                indexedFiles,
                new DataSize(0),
                1,
                false);
        Journal journal = new Journal(
                id,
                config,
                on,
                Runnable::run,
                new AtOnce(),
                () -> Instant.ofEpochMilli(nowMs.get()),
                System::nanoTime,
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
                        // With or without checksums, it is one request to the NameNode.
                        calls.merge(method.getName().replace("Unchecked", ""), 1, Integer::sum);
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

        private final JournalThreads lanes = new OwnJournalThreads();

        @Override
        public void commit(LaneCommitter committer) {
            lanes.commit(committer);
        }

        @Override
        public void awaitEnd(LaneCommitter committer) throws InterruptedException {
            lanes.awaitEnd(committer);
        }

        @Override
        public void background(Runnable task) {
            task.run();
        }

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
        public void close() {
            lanes.close();
        }
    }
}
