package io.talosgateway.rest.journal.log;

import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.journal.JournalConfig;
import io.talosgateway.rest.journal.JournalId;
import io.talosgateway.rest.journal.JournalLayout;
import io.talosgateway.rest.journal.JournalMetrics;
import io.talosgateway.rest.journal.JournalStorage;
import io.talosgateway.rest.journal.JournalThreads;
import io.talosgateway.rest.journal.file.FileSealer;
import io.talosgateway.rest.journal.lane.Lane;
import io.talosgateway.rest.journal.lane.LaneParts;
import io.talosgateway.rest.journal.lane.PartitionLane;
import io.talosgateway.rest.journal.lane.SharedLane;
import io.talosgateway.rest.journal.read.JournalReader;
import io.talosgateway.rest.journal.read.TailCache;
import io.talosgateway.rest.journal.recovery.FileRetention;
import io.talosgateway.rest.journal.recovery.JournalArchive;
import io.talosgateway.rest.journal.recovery.JournalTakeOver;
import io.talosgateway.rest.journal.recovery.PartitionHistory;
import io.talosgateway.rest.topic.OwnerEpoch;
import io.talosgateway.rest.topic.TopicId;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.scheduler.NanoClock;
import io.talosgateway.wire.message.ByteSlice;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Everything that one incarnation of a gateway writes: lanes, and the partitions that are pinned to them. Safe for use by
 * any thread.
 */
public final class Journal {

    private static final Logger log = LoggerFactory.getLogger(Journal.class);

    private final LaneParts parts;
    private final JournalReader reader;
    private final LogReads reads;
    private final JournalThreads threads;
    private final Map<TopicPartition, PartitionLog> logs = new ConcurrentHashMap<>();

    /** Guarded by itself. */
    private final Map<RetentionClass, List<SharedLane>> sharedLanes = new EnumMap<>(RetentionClass.class);

    private final Map<TopicPartition, PartitionLane> partitionLanes = new ConcurrentHashMap<>();
    private final AtomicInteger nextPartitionLane = new AtomicInteger();

    private volatile @Nullable GatewayException full;
    private volatile Runnable fenced = () -> {};

    /**
     * Makes a journal that has written nothing yet.
     *
     * @param id a journal that nobody has written before
     * @param completions completes appends; must not reject
     * @param threads closed with the journal
     * @param clock of deadlines, and of how long things take
     */
    public Journal(
            JournalId id,
            JournalConfig config,
            JournalStorage storage,
            Executor completions,
            JournalThreads threads,
            InstantSource wallClock,
            NanoClock clock,
            JournalMetrics metrics) {
        this.threads = threads;
        this.reader = new JournalReader(storage, config, metrics);
        FileSealer sealer = new FileSealer(storage, reader::forgetOpenFile, metrics, threads);
        TailCache tailCache = new TailCache(config.tailCacheSize().toBytes());
        metrics.watchCache("tail", tailCache::bytes);
        this.reads = new LogReads(storage, reader, tailCache, metrics);
        this.parts = new LaneParts(
                id,
                config,
                storage,
                new JournalArchive(id, config, storage, reader, sealer, threads, metrics),
                sealer,
                () -> fenced.run(),
                completions,
                threads::background,
                wallClock,
                clock,
                metrics);
    }

    /**
     * Makes the mark that says that it may be written. To be called once, before anything is recorded to be in it.
     *
     * @throws IOException if the storage holds a journal of this name already: what is put into a journal that was taken over
     *     is lost, because its list of files is closed
     */
    public void begin() throws IOException {
        boolean isNew = parts.storage().list(id().directory()).isEmpty()
                && parts.storage().createWhole(id().openPath(), ByteSlice.EMPTY);
        if (!isNew) {
            throw new IOException(
                    "The storage %s holds the journal %s already, so that it cannot begin: was ZooKeeper, which counts incarnations, set back to an earlier state?"
                            .formatted(parts.storage().location(), id().directory()));
        }
    }

    /** Has {@code listener} called, on any thread and maybe again, when it turns out that another incarnation has fenced this journal. */
    public void onFenced(Runnable listener) {
        fenced = listener;
    }

    /** Whether another incarnation has fenced this journal, which a lane that writes nothing does not notice. Blocks. */
    public boolean isFenced() throws IOException {
        return !parts.storage().exists(id().openPath());
    }

    /** The journals of a host that a storage holds, oldest first. */
    public static List<JournalId> journalsOf(JournalStorage storage, String host) throws IOException {
        return JournalArchive.journalsOf(storage, host);
    }

    /** The journals of some hosts that the storage of this one holds. */
    public List<JournalId> storedJournals(Predicate<String> hosts) throws IOException {
        List<JournalId> stored = new ArrayList<>();
        for (JournalStorage.StoredFile entry : parts.storage().list(JournalId.ROOT)) {
            if (entry.directory() && hosts.test(entry.name())) {
                stored.addAll(journalsOf(parts.storage(), entry.name()));
            }
        }
        return stored;
    }

    /** The highest number of an incarnation of which a storage holds a journal, or 0: later ones must have higher numbers. */
    public static long lastIncarnation(JournalStorage storage, String host) throws IOException {
        List<JournalId> journals = journalsOf(storage, host);
        return journals.isEmpty() ? 0 : journals.get(journals.size() - 1).incarnation();
    }

    public JournalId id() {
        return parts.journal();
    }

    public JournalConfig config() {
        return parts.config();
    }

    public JournalArchive archive() {
        return parts.archive();
    }

    /**
     * Begins to serve a partition.
     *
     * @param epoch written into every frame
     * @param retention decides which lanes it may be pinned to
     * @param history what was stored before
     * @throws IllegalStateException if it is being served already
     */
    public PartitionLog open(TopicPartition partition, OwnerEpoch epoch, Duration retention, PartitionHistory history) {
        PartitionLog partitionLog = new PartitionLog(
                partition,
                epoch,
                laneFor(partition, RetentionClass.of(retention)),
                reads,
                parts.clock(),
                this::refuseWhenFull,
                history);
        if (logs.putIfAbsent(partition, partitionLog) != null) {
            throw new IllegalStateException(partition + " is open");
        }
        return partitionLog;
    }

    /** Stops serving a partition; appends on their way go on. Blocks for the storage if the partition has files of its own. */
    public void close(PartitionLog partitionLog) {
        logs.remove(partitionLog.partition(), partitionLog);
        partitionLog.close();
        PartitionLane own = partitionLanes.remove(partitionLog.partition());
        if (own != null) {
            own.close();
        }
    }

    /**
     * Gives partitions up while others stay: completes when everything that was appended to them is decided, nothing more
     * will be, and every file that holds their messages is sealed, so that another host can read them. Until then they can
     * be read here. May be called again for the same partitions. Fails if the lanes end before, or another incarnation has ended a file: then the next owner has to fence
     * this journal.
     */
    public CompletableFuture<Void> release(Collection<PartitionLog> released) {
        released.forEach(PartitionLog::stopAppends);
        Map<Lane, List<PartitionLog>> byLane = released.stream()
                .filter(partitionLog -> !partitionLog.isReleased())
                .collect(Collectors.groupingBy(PartitionLog::lane));
        CompletableFuture<?>[] lanes = byLane.entrySet().stream()
                .map(lane -> lane.getKey()
                        .release(lane.getValue().stream()
                                .map(PartitionLog::inLane)
                                .toList()))
                .toArray(CompletableFuture[]::new);
        return CompletableFuture.allOf(lanes)
                .thenCompose(done -> CompletableFuture.allOf(
                        released.stream().map(PartitionLog::whenSealed).toArray(CompletableFuture[]::new)));
    }

    /** Forgets partitions that were released. */
    public void forget(Collection<PartitionLog> released) {
        for (PartitionLog partitionLog : released) {
            logs.remove(partitionLog.partition(), partitionLog);
            partitionLanes.remove(partitionLog.partition());
            partitionLog.forgetTail();
        }
    }

    private Lane laneFor(TopicPartition partition, RetentionClass retention) {
        if (parts.config().layout() == JournalLayout.FILE_PER_PARTITION) {
            return partitionLanes.computeIfAbsent(
                    partition, absent -> new PartitionLane("partition-" + nextPartitionLane.getAndIncrement(), parts));
        }
        synchronized (sharedLanes) {
            SharedLane lane = sharedLanes.computeIfAbsent(retention, this::startLanes).stream()
                    .min(Comparator.comparing(SharedLane::partitions))
                    .orElseThrow();
            lane.pin();
            return lane;
        }
    }

    private List<SharedLane> startLanes(RetentionClass retention) {
        List<SharedLane> started = new ArrayList<>();
        for (int number = 0; number < parts.config().lanes(); number++) {
            SharedLane lane = new SharedLane(retention.laneName() + "-" + number, parts, threads);
            lane.start();
            started.add(lane);
        }
        return started;
    }

    private void refuseWhenFull() {
        GatewayException reason = full;
        if (reason != null) {
            throw reason;
        }
    }

    /** Looks at the room that the storage has left, and refuses puts while it is too little. To be called regularly. */
    public void checkSpace() throws IOException {
        OptionalLong usable = parts.storage().usableBytes();
        long wanted = parts.config().minFreeSize().toBytes();
        if (usable.isEmpty() || usable.getAsLong() >= wanted) {
            if (full != null) {
                log.info("The storage has room again; puts are taken");
            }
            full = null;
            return;
        }
        if (full == null) {
            log.error(
                    "The storage {} has {} bytes left, less than journal.min-free-size ({}); puts are refused, gets go on",
                    parts.storage().location(),
                    usable.getAsLong(),
                    parts.config().minFreeSize());
        }
        full = new GatewayException(
                ErrorCode.STORAGE_FULL,
                "The storage is nearly full, so that no messages can be stored; those stored before can still be read. "
                        + "Its operator has to make room.");
    }

    /**
     * Ends files of single partitions that are old enough, as the committers of shared lanes do themselves. To be called
     * regularly.
     */
    public void rollOld() {
        partitionLanes.values().forEach(PartitionLane::rollIfOld);
    }

    /**
     * Deletes files that nobody needs any more. To be called regularly, after start offsets were raised.
     *
     * @param others journals of earlier incarnations and of hosts that are gone, that this host looks after
     * @param takeOver takes over those that nobody has taken over
     * @param retentionOf the retention of a topic, or null if the topic is deleted
     * @param nowMs epoch milliseconds
     * @return the number of files deleted
     */
    public int deleteExpired(
            Collection<JournalId> others,
            JournalTakeOver takeOver,
            Function<TopicId, @Nullable Duration> retentionOf,
            long nowMs,
            FileRetention retention) {
        return parts.archive()
                .deleteExpired(
                        others,
                        takeOver,
                        (partition, endOffset, lastTimeMs) -> {
                            PartitionLog served = logs.get(partition);
                            Duration kept = retentionOf.apply(partition.topic());
                            return kept == null
                                    || lastTimeMs < nowMs - kept.toMillis()
                                    || (served != null && served.logStartOffset() >= endOffset);
                        },
                        retention);
    }

    /**
     * Takes no more appends, commits those that wait, seals the files. The storage stays open.
     *
     * @throws InterruptedException if interrupted; what was not sealed is read through by the next start
     */
    public void close() throws InterruptedException {
        List<Lane> all = new ArrayList<>(partitionLanes.values());
        synchronized (sharedLanes) {
            sharedLanes.values().forEach(all::addAll);
        }
        for (Lane lane : all) {
            lane.close();
        }
        parts.sealer().close();
        reader.close();
    }
}
