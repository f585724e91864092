package io.talosgateway.rest.journal;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Lock;
import java.util.function.Function;
import java.util.function.IntConsumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import com.google.common.util.concurrent.Striped;
import io.talosgateway.rest.journal.JournalStorage.StoredFile;
import io.talosgateway.rest.topic.OwnerEpoch;
import io.talosgateway.rest.topic.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The journal files of this incarnation and of earlier ones: found at the start, sealed if a crash left them open, looked
 * up by partition, deleted by retention. Safe for use by any thread.
 */
public final class JournalArchive {

    private static final Logger log = LoggerFactory.getLogger(JournalArchive.class);
    private static final int RECOVERIES = 64;

    private final JournalStorage storage;
    private final JournalReader reader;
    private final FilesAtOnce filesAtOnce;
    private final JournalMetrics metrics;
    private final JournalRecovery recovery;
    private final FileSealer sealer;
    private final JournalId current;
    /** Files by journal, in order of lane and sequence. */
    private final Map<JournalId, List<JournalFile>> journals = new ConcurrentHashMap<>();
    /** Journals of which all files are known, because nobody writes them any more. */
    private final Set<JournalId> ended = ConcurrentHashMap.newKeySet();
    /** One at a time for each journal, so that its files are read once. */
    private final Striped<Lock> recoveries = Striped.lock(RECOVERIES);

    JournalArchive(
            JournalId current,
            JournalStorage storage,
            JournalReader reader,
            FileSealer sealer,
            FilesAtOnce filesAtOnce,
            boolean acceptDamage,
            JournalMetrics metrics) {
        this.current = current;
        this.storage = storage;
        this.reader = reader;
        this.sealer = sealer;
        this.filesAtOnce = filesAtOnce;
        this.metrics = metrics;
        this.recovery = new JournalRecovery(storage, sealer, filesAtOnce, acceptDamage);
        journals.put(current, List.of());
    }

    /** The journals of a host that the storage holds, oldest first. */
    static List<JournalId> journalsOf(JournalStorage storage, String host) throws IOException {
        List<JournalId> found = new ArrayList<>();
        for (StoredFile entry : storage.list(JournalId.hostDirectory(host))) {
            if (entry.directory() && entry.name().matches("\\d{10}")) {
                found.add(new JournalId(host, Long.parseLong(entry.name())));
            }
        }
        found.sort(null);
        return found;
    }

    /** A new file of this incarnation. */
    void add(JournalFile file) {
        journals.compute(file.id().journal(), (journal, files) -> {
            List<JournalFile> extended = files == null ? new ArrayList<>() : new ArrayList<>(files);
            extended.add(file);
            return List.copyOf(extended);
        });
    }

    /**
     * Takes over what another incarnation wrote: fences it, so that it can never have anything acknowledged again, finds
     * the true ends of its files and seals them. Does nothing for one that was recovered before, and for the current one. May
     * take long: a file that was not sealed is read through.
     *
     * @param progress told the number of files done, by any thread
     * @throws DamagedFileException if bytes are damaged that were durable once
     */
    public void recover(JournalId journal, IntConsumer progress) throws IOException {
        Lock lock = recoveries.get(journal);
        lock.lock();
        try {
            if (!isRecovered(journal)) {
                journals.put(journal, recovery.recover(journal, known(journal), progress));
                ended.add(journal);
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Finds the files that another incarnation, which goes on, has ended in its journal: all there is of partitions that it
     * has released. Does nothing for the current journal.
     */
    public void adopt(JournalId journal) throws IOException {
        Lock lock = recoveries.get(journal);
        lock.lock();
        try {
            if (!isRecovered(journal)) {
                journals.put(journal, recovery.sealedFiles(journal, known(journal)));
            }
        } finally {
            lock.unlock();
        }
    }

    /** True if {@link #recover} would only read: somebody has recovered the journal before. Asks the storage. */
    public boolean wasRecovered(JournalId journal) throws IOException {
        return recovery.isRecovered(journal);
    }

    /** True if nothing would be done by {@link #recover}. */
    public boolean isRecovered(JournalId journal) {
        return journal.equals(current) || ended.contains(journal);
    }

    private Map<JournalFileId, JournalFile> known(JournalId journal) {
        return journals.getOrDefault(journal, List.of()).stream()
                .collect(Collectors.toMap(JournalFile::id, Function.identity()));
    }

    /**
     * What the storage holds of partitions, in their order. Blocks.
     *
     * @param wanted what is recorded of them; each of the journals was recovered or adopted before
     * @param keyedPuts where to look up puts with idempotency keys
     */
    public List<PartitionHistory> histories(List<RecordedPartition> wanted, KeyedPuts keyedPuts) throws IOException {
        List<PartitionHistory> histories = new ArrayList<>();
        Map<TopicPartition, List<FileRange>> ranges = new HashMap<>();
        for (RecordedPartition one : wanted) {
            PartitionHistory history = withoutKeys(one);
            histories.add(history);
            ranges.put(one.partition(), history.ranges());
        }
        keyedPuts.readAhead(ranges);
        for (int index = 0; index < histories.size(); index++) {
            List<KeyedPut> recent = new ArrayList<>();
            for (FileRange range : histories.get(index).ranges()) {
                recent.addAll(keyedPuts.of(wanted.get(index).partition(), range));
            }
            histories.set(index, histories.get(index).with(recent));
        }
        return histories;
    }

    private PartitionHistory withoutKeys(RecordedPartition recorded) {
        TopicPartition partition = recorded.partition();
        List<JournalSpan> spans = new ArrayList<>();
        List<FileRange> ranges = new ArrayList<>();
        long endOffset = 0;
        long totalBytes = 0;
        for (int number = 0; number < recorded.spans().size(); number++) {
            JournalSpan span = recorded.spans().get(number);
            long spanEnd = recorded.endOfSpan(number);
            List<FileRange> inSpan = new ArrayList<>();
            endOffset = span.firstOffset();
            totalBytes = span.totalBytes();
            for (JournalFile file : inOrder(partition, span)) {
                PartitionEnd end = file.start().ends().get(partition);
                if (end != null && end.endOffset() >= span.firstOffset() && end.endOffset() <= spanEnd) {
                    endOffset = end.endOffset();
                    totalBytes = end.totalBytes();
                    voidFrom(inSpan, endOffset);
                }
                PartitionExtent extent = file.extent(partition);
                if (extent != null && extent.firstOffset() >= span.firstOffset() && extent.firstOffset() < spanEnd) {
                    endOffset = Math.min(extent.endOffset(), spanEnd);
                    totalBytes += extent.bytes();
                    inSpan.add(new FileRange(file, extent.firstOffset(), endOffset));
                }
            }
            // Deleted messages may still be in files that others keep.
            inSpan.removeIf(range -> range.endOffset() <= recorded.startOffset());
            if (!inSpan.isEmpty()) {
                spans.add(span);
                ranges.addAll(inSpan);
            }
        }
        return PartitionHistory.of(recorded, spans, ranges, endOffset, totalBytes);
    }

    /** The files of a span that say something of its partition, in the order in which they were written. */
    private List<JournalFile> inOrder(TopicPartition partition, JournalSpan span) {
        return journals.getOrDefault(span.journal(), List.of()).stream()
                .filter(file -> {
                    OwnerEpoch epoch = epoch(file, partition);
                    return epoch != null && span.holds(epoch);
                })
                .sorted(Comparator.comparing(file -> Objects.requireNonNull(epoch(file, partition))))
                .toList();
    }

    private static @Nullable OwnerEpoch epoch(JournalFile file, TopicPartition partition) {
        PartitionExtent extent = file.extent(partition);
        PartitionEnd end = file.start().ends().get(partition);
        if (extent != null) {
            return extent.epoch();
        }
        return end == null ? null : end.epoch();
    }

    /** Drops what is at or above an offset. */
    private static void voidFrom(List<FileRange> ranges, long endOffset) {
        ranges.removeIf(range -> range.firstOffset() >= endOffset);
        ranges.replaceAll(range ->
                range.endOffset() <= endOffset ? range : new FileRange(range.file(), range.firstOffset(), endOffset));
    }

    /** For {@link #histories}, where to look up puts with idempotency keys that are not older. */
    public KeyedPuts keyedPutsSince(long sinceMs, Set<TopicPartition> partitions) {
        return new KeyedPuts(reader, filesAtOnce, sinceMs, partitions);
    }

    /** True if the storage still holds something of the journal, or may. */
    private boolean holds(JournalId journal) {
        return !ended.contains(journal)
                || !journals.getOrDefault(journal, List.of()).isEmpty();
    }

    /**
     * Deletes sealed files that nobody needs any more, as {@link FileRetention} says: files of this incarnation, and of ended ones.
     *
     * @param mayBeExpired whether it is worth asking for the record of an extent's partition
     * @param retention decides, by the records
     * @return the number of files deleted
     */
    int deleteExpired(Predicate<PartitionExtent> mayBeExpired, FileRetention retention) {
        List<JournalFile> candidates = new ArrayList<>();
        journals.forEach((journal, files) -> {
            boolean ofThisLife = journal.equals(current);
            if ((ofThisLife && !sealer.isSettling()) || (!ofThisLife && ended.contains(journal))) {
                files.stream().filter(file -> isCandidate(file, mayBeExpired)).forEach(candidates::add);
            }
        });
        int deleted = 0;
        for (JournalFile file : retention.deletable(candidates, current)) {
            deleted += delete(file) ? 1 : 0;
        }
        List.copyOf(journals.keySet()).forEach(this::deleteIfEmpty);
        return deleted;
    }

    private static boolean isCandidate(JournalFile file, Predicate<PartitionExtent> mayBeExpired) {
        JournalFile.Sealed sealed = file.sealedIndex();
        return sealed != null
                && sealed.footer().partitions().values().stream()
                        .allMatch(partition -> mayBeExpired.test(partition.extent()));
    }

    private boolean delete(JournalFile file) {
        JournalFileId id = file.id();
        try {
            // The footer goes last: a footer without its file is harmless, a file without its true end is not.
            storage.delete(id.path());
            storage.delete(id.detachedFooterPath());
        } catch (IOException e) {
            log.warn("Deleting {} failed, trying again later: {}", file, e.toString());
            return false;
        }
        journals.computeIfPresent(
                id.journal(),
                (journal, files) ->
                        files.stream().filter(other -> other != file).toList());
        reader.forget(file);
        metrics.fileDeleted();
        log.info("Deleted {}: everything in it was out of its retention", file);
        return true;
    }

    private void deleteIfEmpty(JournalId journal) {
        if (!holds(journal)) {
            try {
                storage.delete(journal.directory());
                // It stays among the ended ones: who asks for it must not bring it back.
                journals.remove(journal);
            } catch (IOException e) {
                log.warn("Deleting the empty {} failed, trying again later: {}", journal.directory(), e.toString());
            }
        }
    }
}
