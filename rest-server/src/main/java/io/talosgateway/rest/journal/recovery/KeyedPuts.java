package io.talosgateway.rest.journal.recovery;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

import com.google.common.collect.Lists;
import io.talosgateway.rest.journal.KeyedPut;
import io.talosgateway.rest.journal.file.CorruptFrameException;
import io.talosgateway.rest.journal.file.FileRange;
import io.talosgateway.rest.journal.file.FilesAtOnce;
import io.talosgateway.rest.journal.file.JournalFile;
import io.talosgateway.rest.journal.file.JournalFileId;
import io.talosgateway.rest.journal.file.PartitionExtent;
import io.talosgateway.rest.journal.read.JournalReader;
import io.talosgateway.rest.topic.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The puts with idempotency keys of some partitions that are young enough to be repeated. Each file is read once, and none that is
 * older than as many puts of its partitions as are remembered. Safe for use by any thread.
 */
public final class KeyedPuts {

    private static final Logger log = LoggerFactory.getLogger(KeyedPuts.class);

    private final JournalReader reader;
    private final FilesAtOnce filesAtOnce;
    private final long sinceMs;
    private final int enough;
    private final Set<TopicPartition> partitions;
    private final boolean acceptDamage;
    private final Map<JournalFileId, Map<TopicPartition, List<KeyedPut>>> byFile = new ConcurrentHashMap<>();

    /**
     * @param enough of each partition; older ones are not asked for
     * @param acceptDamage whether to go on without those of a file that are damaged
     */
    KeyedPuts(
            JournalReader reader,
            FilesAtOnce filesAtOnce,
            long sinceMs,
            int enough,
            Set<TopicPartition> partitions,
            boolean acceptDamage) {
        this.reader = reader;
        this.filesAtOnce = filesAtOnce;
        this.sinceMs = sinceMs;
        this.enough = enough;
        this.partitions = Set.copyOf(partitions);
        this.acceptDamage = acceptDamage;
    }

    /** True if it may be asked for all of these. */
    public boolean covers(Collection<TopicPartition> asked) {
        return partitions.containsAll(asked);
    }

    /** What is known of one partition, from its newest file on. */
    private static final class Found {

        /** Those that are young enough and were not looked at, the newest first. */
        private final Deque<FileRange> left;

        /** Oldest first. */
        private final Deque<KeyedPut> puts = new ArrayDeque<>();

        private Found(List<FileRange> young) {
            left = new ArrayDeque<>(Lists.reverse(young));
        }
    }

    /**
     * The newest puts of some partitions that are young enough, oldest first. Blocks.
     *
     * @param ranges of each partition, in order of offset
     */
    Map<TopicPartition, List<KeyedPut>> of(Map<TopicPartition, List<FileRange>> ranges) throws IOException {
        Map<TopicPartition, Found> found = new HashMap<>();
        ranges.forEach((partition, ofPartition) -> {
            if (!partitions.contains(partition)) {
                throw new IllegalArgumentException(partition + " is not one of those that are kept");
            }
            found.put(
                    partition,
                    new Found(ofPartition.stream()
                            .filter(range -> isYoung(partition, range))
                            .toList()));
        });
        while (true) {
            Map<TopicPartition, List<FileRange>> next = new HashMap<>();
            found.forEach((partition, of) -> next.put(partition, next(partition, of)));
            next.values().removeIf(List::isEmpty);
            if (next.isEmpty()) {
                return found.entrySet().stream()
                        .collect(Collectors.toMap(Map.Entry::getKey, one -> List.copyOf(one.getValue().puts)));
            }
            readFiles(next.values());
            next.forEach((partition, of) -> add(partition, of, Objects.requireNonNull(found.get(partition)).puts));
        }
    }

    /** True if the file may have puts of the partition that are young enough. */
    private boolean isYoung(TopicPartition partition, FileRange range) {
        PartitionExtent extent = range.file().extent(partition);
        return extent != null && extent.lastTimeMs() >= sinceMs;
    }

    /** The ranges that have what is missing, if all their puts have keys, the newest first; none if nothing is missing. */
    private List<FileRange> next(TopicPartition partition, Found found) {
        List<FileRange> next = new ArrayList<>();
        long puts = found.puts.size();
        while (puts < enough && !found.left.isEmpty()) {
            FileRange range = found.left.remove();
            next.add(range);
            puts += Objects.requireNonNull(range.file().extent(partition)).frames();
        }
        return next;
    }

    private void readFiles(Collection<List<FileRange>> ranges) throws IOException {
        Map<JournalFileId, JournalFile> unread = new HashMap<>();
        ranges.forEach(of -> of.stream()
                .map(FileRange::file)
                .filter(file -> !byFile.containsKey(file.id()))
                .forEach(file -> unread.put(file.id(), file)));
        filesAtOnce.each(List.copyOf(unread.values()), file -> byFile.put(file.id(), read(file)));
    }

    private Map<TopicPartition, List<KeyedPut>> read(JournalFile file) throws IOException {
        return readAll(file).stream()
                .filter(put -> put.appendTimestampMs() >= sinceMs && partitions.contains(put.partition()))
                .collect(Collectors.groupingBy(KeyedPut::partition));
    }

    private List<KeyedPut> readAll(JournalFile file) throws IOException {
        try {
            return reader.keyedPuts(file);
        } catch (CorruptFrameException e) {
            if (!acceptDamage) {
                throw e;
            }
            log.error("{}; puts of this file that are repeated are stored again", e.getMessage());
            return List.of();
        }
    }

    private void add(TopicPartition partition, List<FileRange> newestFirst, Deque<KeyedPut> puts) {
        for (FileRange range : newestFirst) {
            List<KeyedPut> ofFile =
                    Objects.requireNonNull(byFile.get(range.file().id())).getOrDefault(partition, List.of());
            for (KeyedPut put : Lists.reverse(ofFile)) {
                // What is at or above the end of the range is void: it was never acknowledged.
                if (put.firstOffset() < range.endOffset()) {
                    puts.addFirst(put);
                }
            }
        }
    }
}
