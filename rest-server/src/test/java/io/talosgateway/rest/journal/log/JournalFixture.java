package io.talosgateway.rest.journal.log;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.prometheus.client.CollectorRegistry;
import io.talosgateway.rest.Await;
import io.talosgateway.rest.config.DataSize;
import io.talosgateway.rest.journal.FaultyStorage;
import io.talosgateway.rest.journal.JournalConfig;
import io.talosgateway.rest.journal.JournalId;
import io.talosgateway.rest.journal.JournalLayout;
import io.talosgateway.rest.journal.JournalMetrics;
import io.talosgateway.rest.journal.JournalSpan;
import io.talosgateway.rest.journal.JournalStorage;
import io.talosgateway.rest.journal.JournalThreads;
import io.talosgateway.rest.journal.LaneCommitter;
import io.talosgateway.rest.journal.OwnJournalThreads;
import io.talosgateway.rest.journal.lane.AppendResult;
import io.talosgateway.rest.journal.read.ReadResult;
import io.talosgateway.rest.journal.recovery.FileRetention;
import io.talosgateway.rest.journal.recovery.PartitionHistory;
import io.talosgateway.rest.journal.recovery.RecordedPartition;
import io.talosgateway.rest.message.IdempotencyKey;
import io.talosgateway.rest.message.MessageBatch;
import io.talosgateway.rest.message.PutIdentity;
import io.talosgateway.rest.topic.Durability;
import io.talosgateway.rest.topic.OwnerEpoch;
import io.talosgateway.rest.topic.TopicId;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.scheduler.Deadline;
import io.talosgateway.wire.message.ByteSlice;
import io.talosgateway.wire.message.MessageBlock;
import io.talosgateway.wire.message.StoredBlock;
import org.jspecify.annotations.Nullable;

/** One incarnation after another on one storage, with the part of coordination that records journals. */
public final class JournalFixture implements AutoCloseable, InstantSource {

    public static final TopicId TOPIC = new TopicId(0x0123456789abcdefL, 42);
    static final String HOST = "gw-1";

    final FaultyStorage storage;
    private final JournalConfig config;
    private final ExecutorService completions = Executors.newFixedThreadPool(2);
    private final Map<TopicPartition, RecordedPartition> records = new HashMap<>();
    private final Map<TopicPartition, OwnerEpoch> epochs = new HashMap<>();
    final Map<Integer, PartitionLog> logs = new HashMap<>();
    private final AtomicInteger background = new AtomicInteger();
    private final AtomicInteger sealing = new AtomicInteger();
    long nowMs = 1_700_000_000_000L;
    CollectorRegistry metrics = new CollectorRegistry();
    public Journal journal;
    private final List<Journal> crashed = new ArrayList<>();
    volatile long addedNanos;
    private long incarnation;
    private final Duration retention;

    public JournalFixture(JournalStorage storage, JournalConfig config, Duration retention) throws IOException {
        this.storage = new FaultyStorage(storage);
        this.config = config;
        this.retention = retention;
        this.journal = nextIncarnation();
    }

    public static JournalConfig config(JournalLayout layout, DataSize fileSize, DataSize tailCacheSize) {
        return config(layout, fileSize, tailCacheSize, 1);
    }

    static JournalConfig config(JournalLayout layout, DataSize fileSize, DataSize tailCacheSize, int minReplicas) {
        return config(layout, fileSize, tailCacheSize, minReplicas, false);
    }

    /** So few that most tests have index files of several levels. */
    private static final int INDEXED_FILES = 2;

    static JournalConfig config(
            JournalLayout layout, DataSize fileSize, DataSize tailCacheSize, int minReplicas, boolean acceptDamage) {
        return new JournalConfig(
                layout,
                2,
                Durability.DISK,
                fileSize,
                Duration.ofHours(1),
                DataSize.ofMiB(4),
                1000,
                DataSize.ofMiB(16),
                1000,
                tailCacheSize,
                DataSize.ofKiB(64),
                DataSize.ofMiB(16),
                DataSize.ofMiB(4),
                INDEXED_FILES,
                new DataSize(0),
                minReplicas,
                acceptDamage);
    }

    @Override
    public Instant instant() {
        return Instant.ofEpochMilli(nowMs);
    }

    @Override
    public long millis() {
        return nowMs;
    }

    /** The clock of deadlines: the machine's, and what a test adds to it. */
    long nanoTime() {
        return System.nanoTime() + addedNanos;
    }

    /** Threads of a journal that count what they do beside its lanes. */
    private record CountingThreads(JournalThreads threads, AtomicInteger underWay, AtomicInteger sealing)
            implements JournalThreads {

        CountingThreads(AtomicInteger underWay, AtomicInteger sealing) {
            this(new OwnJournalThreads(), underWay, sealing);
        }

        @Override
        public void seal(Runnable task) {
            counted(task, sealing, threads::seal);
        }

        @Override
        public void sealLater(Runnable task, long delayMs) {
            threads.sealLater(task, delayMs);
        }

        @Override
        public void commit(LaneCommitter committer) {
            threads.commit(committer);
        }

        @Override
        public void awaitEnd(LaneCommitter committer) throws InterruptedException {
            threads.awaitEnd(committer);
        }

        @Override
        public Executor files() {
            return threads.files();
        }

        @Override
        public void background(Runnable task) {
            counted(task, underWay, threads::background);
        }

        private static void counted(Runnable task, AtomicInteger count, Executor on) {
            count.incrementAndGet();
            try {
                on.execute(() -> {
                    try {
                        task.run();
                    } finally {
                        count.decrementAndGet();
                    }
                });
            } catch (RejectedExecutionException e) {
                count.decrementAndGet();
                throw e;
            }
        }

        @Override
        public void close() {
            threads.close();
        }
    }

    /** Until what has been begun beside the lanes is done. */
    void awaitBackground() {
        Await.asLongAs(() -> background.get() > 0);
    }

    /** Until the files that lanes have left are sealed, and indexed. */
    public void awaitSealed() {
        Await.asLongAs(() -> sealing.get() > 0);
    }

    /** Whether a file that a lane has left is being sealed, or waits for that. */
    boolean isSealing() {
        return sealing.get() > 0;
    }

    private Journal nextIncarnation() throws IOException {
        incarnation++;
        metrics = new CollectorRegistry();
        Journal next = new Journal(
                new JournalId(HOST, incarnation),
                config,
                storage,
                completions,
                new CountingThreads(background, sealing),
                this,
                this::nanoTime,
                new JournalMetrics(metrics, this::nanoTime));
        next.begin();
        for (JournalId old : Journal.journalsOf(storage, HOST)) {
            next.archive().recover(old, done -> {});
        }
        return next;
    }

    /** Opens partitions, taking over what earlier incarnations stored. */
    public JournalFixture open(int... partitions) throws IOException {
        for (int number : partitions) {
            TopicPartition partition = new TopicPartition(TOPIC, number);
            PartitionHistory history = journal.archive()
                    .histories(
                            List.of(records.getOrDefault(partition, RecordedPartition.none(partition))),
                            journal.archive().keyedPuts(nowMs - 600_000, enoughKeyedPuts, Set.of(partition)))
                    .get(0);
            lastHistories.put(number, history);
            OwnerEpoch epoch = epochs.merge(partition, OwnerEpoch.NONE.next(), (old, first) -> old.next());
            List<JournalSpan> spans = new ArrayList<>(history.spans());
            spans.add(new JournalSpan(journal.id(), epoch, history.endOffset(), history.totalBytes()));
            records.put(
                    partition,
                    new RecordedPartition(
                            partition, spans, history.startOffset(), history.endOffset(), history.totalBytes(), false));
            logs.put(number, journal.open(partition, epoch, retention, history));
        }
        return this;
    }

    int enoughKeyedPuts = 10_000;

    final Map<Integer, PartitionHistory> lastHistories = new HashMap<>();

    /** Has messages go that are older than the retention, as upkeep does; the number of files that were deleted. */
    int expire(Duration retention) {
        for (PartitionLog log : logs.values()) {
            PartitionLog.Start start = log.startWithoutFilesBefore(nowMs - retention.toMillis());
            if (start != null) {
                records.computeIfPresent(
                        log.partition(),
                        (partition, record) -> new RecordedPartition(
                                partition,
                                record.spans(),
                                start.offset(),
                                Math.max(record.endOffset(), start.offset()),
                                Math.max(record.totalBytes(), start.bytesBelow()),
                                false));
                log.trimTo(start.offset());
            }
        }
        return deleteExpired(topic -> retention, new FileRetention(topic -> false, this::recorded));
    }

    int deleteExpired(Function<TopicId, @Nullable Duration> retentionOf, FileRetention files) {
        try {
            return journal.deleteExpired(
                    journal.storedJournals(HOST::equals), gone -> false, retentionOf, nowMs, files);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Map<TopicPartition, RecordedPartition> recorded(Set<TopicPartition> of) {
        return of.stream().filter(records::containsKey).collect(Collectors.toMap(Function.identity(), records::get));
    }

    /** Ends this incarnation properly and begins the next. */
    void restart() throws Exception {
        journal.close();
        reopen();
    }

    /** Begins the next incarnation without ending this one: its threads and open files are still there. */
    Journal crash() throws IOException {
        Journal zombie = journal;
        crashed.add(zombie);
        reopen();
        return zombie;
    }

    private void reopen() throws IOException {
        int[] partitions = logs.keySet().stream().mapToInt(Integer::intValue).toArray();
        logs.clear();
        journal = nextIncarnation();
        open(partitions);
    }

    PartitionLog log(int partition) {
        return logs.get(partition);
    }

    /** In an array that is overwritten as soon as the journal gives it up. */
    public static MessageBatch batch(String... payloads) {
        return batch(array -> Arrays.fill(array, (byte) '?'), payloads);
    }

    static MessageBatch batch(Consumer<byte[]> arrayTaker, String... payloads) {
        byte[] array = String.join("", payloads).getBytes(StandardCharsets.UTF_8);
        List<MessageBlock> blocks = new ArrayList<>();
        int offset = 0;
        for (String payload : payloads) {
            int length = ByteSlice.utf8(payload).length();
            blocks.add(new MessageBlock(1, 0, new ByteSlice(array, offset, length), 1, ByteSlice.EMPTY));
            offset += length;
        }
        return new MessageBatch(blocks).recycledTo(arrayTaker);
    }

    CompletableFuture<AppendResult> putAsync(int partition, String... payloads) {
        return log(partition)
                .append(batch(payloads), null, Durability.DISK, Deadline.NONE)
                .outcome();
    }

    public AppendResult put(int partition, String... payloads)
            throws InterruptedException, ExecutionException, TimeoutException {
        return putAsync(partition, payloads).get(120, TimeUnit.SECONDS);
    }

    AppendResult putToMemory(int partition, String... payloads)
            throws InterruptedException, ExecutionException, TimeoutException {
        return log(partition)
                .append(batch(payloads), null, Durability.MEMORY, Deadline.NONE)
                .outcome()
                .get(120, TimeUnit.SECONDS);
    }

    public AppendResult put(int partition, IdempotencyKey key, String payload)
            throws InterruptedException, ExecutionException, TimeoutException {
        MessageBatch batch = batch(payload);
        return log(partition)
                .append(batch, PutIdentity.of(key, batch), Durability.DISK, Deadline.NONE)
                .outcome()
                .get(120, TimeUnit.SECONDS);
    }

    /** Everything that can be read from an offset on, as {@code offset:payload}. */
    List<String> readAll(int partition, long fromOffset) {
        List<String> found = new ArrayList<>();
        long offset = fromOffset;
        while (offset < log(partition).durableOffset()) {
            ReadResult result = log(partition).read(offset, 100, 1 << 20);
            for (StoredBlock block : result.blocks()) {
                found.add(block.startOffset() + ":" + block.block().data().utf8());
            }
            offset = result.endOffset();
        }
        return found;
    }

    List<String> readAll(int partition) {
        return readAll(partition, log(partition).logStartOffset());
    }

    double metric(String name, String... labels) {
        String[] names = new String[labels.length / 2];
        String[] values = new String[labels.length / 2];
        for (int index = 0; index < names.length; index++) {
            names[index] = labels[2 * index];
            values[index] = labels[2 * index + 1];
        }
        @Nullable Double value = metrics.getSampleValue("talos_journal_" + name, names, values);
        return value == null ? 0 : value;
    }

    @Override
    public void close() throws Exception {
        storage.heal();
        if (storage.holdSyncs != null) {
            storage.holdSyncs.countDown();
        }
        // Their threads still end files, while the test's directory is being deleted.
        for (Journal zombie : crashed) {
            zombie.close();
        }
        journal.close();
        completions.shutdown();
        storage.close();
    }
}
