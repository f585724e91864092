package io.talosgateway.rest.journal.recovery;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntConsumer;

import io.talosgateway.rest.journal.JournalConfig;
import io.talosgateway.rest.journal.JournalId;
import io.talosgateway.rest.journal.JournalMetrics;
import io.talosgateway.rest.journal.JournalSpan;
import io.talosgateway.rest.journal.JournalStorage;
import io.talosgateway.rest.journal.JournalStorage.StoredFile;
import io.talosgateway.rest.journal.JournalThreads;
import io.talosgateway.rest.journal.KeyedPut;
import io.talosgateway.rest.journal.file.DamagedFileException;
import io.talosgateway.rest.journal.file.ExpiryCheck;
import io.talosgateway.rest.journal.file.FileRange;
import io.talosgateway.rest.journal.file.FileSealer;
import io.talosgateway.rest.journal.file.FilesAtOnce;
import io.talosgateway.rest.journal.file.IndexHeads;
import io.talosgateway.rest.journal.file.IndexWriter;
import io.talosgateway.rest.journal.file.JournalFile;
import io.talosgateway.rest.journal.file.PartitionEnd;
import io.talosgateway.rest.journal.file.PartitionExtent;
import io.talosgateway.rest.journal.read.JournalReader;
import io.talosgateway.rest.topic.OwnerEpoch;
import io.talosgateway.rest.topic.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * The journal files of this incarnation and of earlier ones: found at the start, sealed if a crash left them open, looked
 * up by partition, deleted by retention. Safe for use by any thread.
 */
public final class JournalArchive {

    private final JournalId current;
    private final JournalReader reader;
    private final FilesAtOnce filesAtOnce;
    private final FileSealer sealer;
    private final JournalThreads threads;
    private final IndexWriter index;
    private final FileDeletion deletion;
    private final OtherJournals others;
    private final EndedJournals ended;
    private final boolean acceptDamage;
    /** Files of this incarnation, as they were begun. Replaced as a whole; guarded by this for writing. */
    private volatile List<JournalFile> own = List.of();

    public JournalArchive(
            JournalId current,
            JournalConfig config,
            JournalStorage storage,
            JournalReader reader,
            FileSealer sealer,
            JournalThreads threads,
            JournalMetrics metrics) {
        this.current = current;
        this.reader = reader;
        this.sealer = sealer;
        this.threads = threads;
        this.filesAtOnce = new FilesAtOnce(threads.files());
        this.acceptDamage = config.acceptDamage();
        this.index = new IndexWriter(current, storage, config.indexedFiles());
        this.deletion = new FileDeletion(storage, reader, metrics);
        IndexHeads heads = new IndexHeads(storage);
        JournalRecovery recovery = new JournalRecovery(storage, sealer, heads, filesAtOnce, config.acceptDamage());
        this.others = new OtherJournals(recovery, heads, filesAtOnce, config.indexCacheSize());
        this.ended = new EndedJournals(current, storage, recovery, heads, deletion);
    }

    /** The journals of a host that the storage holds, oldest first. */
    public static List<JournalId> journalsOf(JournalStorage storage, String host) throws IOException {
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
    public synchronized void add(JournalFile file) {
        List<JournalFile> extended = new ArrayList<>(own);
        extended.add(file);
        own = List.copyOf(extended);
        file.whenSealed().thenRun(() -> threads.seal(() -> index.add(file))).exceptionally(notSealedHere -> null);
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
        if (!journal.equals(current)) {
            others.recover(journal, progress);
        }
    }

    /**
     * Finds the files that another incarnation, which goes on, has ended in its journal: all there is of partitions that it
     * has released. Does nothing for the current journal.
     */
    public void adopt(JournalId journal) throws IOException {
        if (!journal.equals(current)) {
            others.adopt(journal);
        }
    }

    /** True if {@link #recover} would only read: somebody has recovered the journal before. Asks the storage. */
    public boolean wasRecovered(JournalId journal) throws IOException {
        return others.wasRecovered(journal);
    }

    /** True if nothing would be done by {@link #recover}. */
    public boolean isRecovered(JournalId journal) {
        return journal.equals(current) || others.isRecovered(journal);
    }

    /**
     * What the storage holds of partitions, in their order. Blocks.
     *
     * @param wanted what is recorded of them; each of the journals was recovered or adopted before
     * @param keyedPuts where to look up puts with idempotency keys
     */
    public List<PartitionHistory> histories(List<RecordedPartition> wanted, KeyedPuts keyedPuts) throws IOException {
        Map<JournalId, List<JournalFile>> files = files(wanted);
        List<PartitionHistory> histories = new ArrayList<>();
        Map<TopicPartition, List<FileRange>> ranges = new HashMap<>();
        for (RecordedPartition one : wanted) {
            PartitionHistory history = withoutKeys(one, files);
            histories.add(history);
            ranges.put(one.partition(), history.ranges());
        }
        Map<TopicPartition, List<KeyedPut>> recent = keyedPuts.of(ranges);
        for (int index = 0; index < histories.size(); index++) {
            TopicPartition partition = wanted.get(index).partition();
            histories.set(index, histories.get(index).with(recent.getOrDefault(partition, List.of())));
        }
        return histories;
    }

    /** What the journals that hold some partitions say of these. */
    private Map<JournalId, List<JournalFile>> files(List<RecordedPartition> wanted) throws IOException {
        Map<JournalId, Set<TopicPartition>> wantedOf = new TreeMap<>();
        for (RecordedPartition one : wanted) {
            one.spans()
                    .forEach(span -> wantedOf.computeIfAbsent(span.journal(), absent -> new HashSet<>())
                            .add(one.partition()));
        }
        Map<JournalId, List<JournalFile>> files = new HashMap<>();
        for (Map.Entry<JournalId, Set<TopicPartition>> of : wantedOf.entrySet()) {
            files.put(of.getKey(), of.getKey().equals(current) ? own : others.files(of.getKey(), of.getValue()));
        }
        return files;
    }

    /** Without the puts with idempotency keys. */
    public static PartitionHistory withoutKeys(RecordedPartition recorded, Map<JournalId, List<JournalFile>> files) {
        TopicPartition partition = recorded.partition();
        List<JournalSpan> spans = new ArrayList<>();
        List<FileRange> ranges = new ArrayList<>();
        long endOffset = 0;
        long totalBytes = 0;
        long endByStart = 0;
        for (int number = 0; number < recorded.spans().size(); number++) {
            JournalSpan span = recorded.spans().get(number);
            long spanEnd = recorded.endOfSpan(number);
            List<FileRange> inSpan = new ArrayList<>();
            endOffset = span.firstOffset();
            totalBytes = span.totalBytes();
            for (JournalFile file : inOrder(partition, span, files.getOrDefault(span.journal(), List.of()))) {
                PartitionEnd end = file.start().ends().get(partition);
                if (end != null && end.endOffset() >= span.firstOffset() && end.endOffset() <= spanEnd) {
                    endOffset = end.endOffset();
                    endByStart = endOffset;
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
        return PartitionHistory.of(recorded, spans, ranges, endByStart, endOffset, totalBytes);
    }

    /** The files of a span that say something of its partition, in the order in which they were written. */
    private static List<JournalFile> inOrder(TopicPartition partition, JournalSpan span, List<JournalFile> files) {
        return files.stream()
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

    /**
     * For {@link #histories}, where to look up puts with idempotency keys.
     *
     * @param sinceMs none that are older, epoch milliseconds
     * @param enough so many of each partition, or some more
     */
    public KeyedPuts keyedPuts(long sinceMs, int enough, Set<TopicPartition> partitions) {
        return new KeyedPuts(reader, filesAtOnce, sinceMs, enough, partitions, acceptDamage);
    }

    /**
     * Deletes sealed files that nobody needs any more, as {@link FileRetention} says: of this incarnation, and of ended journals.
     *
     * @param journals those that this host looks after
     * @param takeOver takes over those that nobody has taken over
     * @return the number of files deleted
     */
    public int deleteExpired(
            Collection<JournalId> journals, JournalTakeOver takeOver, ExpiryCheck expiry, FileRetention retention) {
        return deleteOwn(expiry, retention) + ended.deleteExpired(journals, takeOver, expiry, retention);
    }

    private int deleteOwn(ExpiryCheck expiry, FileRetention retention) {
        if (sealer.isSettling()) {
            return 0;
        }
        List<JournalFile> candidates =
                own.stream().filter(file -> file.mayBeExpired(expiry)).toList();
        List<JournalFile> deleted = retention.deletable(candidates, current).stream()
                .filter(file -> deletion.delete(file.id()))
                .toList();
        deleted.forEach(index::remove);
        synchronized (this) {
            own = own.stream().filter(file -> !deleted.contains(file)).toList();
        }
        return deleted.size();
    }
}
