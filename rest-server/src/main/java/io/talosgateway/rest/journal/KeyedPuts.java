package io.talosgateway.rest.journal;

import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

import io.talosgateway.rest.topic.TopicPartition;

/**
 * The puts with idempotency keys of some partitions that are young enough to be repeated. Each file is read once. Safe for use by
 * any thread.
 */
public final class KeyedPuts {

    private final JournalReader reader;
    private final FilesAtOnce filesAtOnce;
    private final long sinceMs;
    private final Set<TopicPartition> partitions;
    private final Map<JournalFileId, Map<TopicPartition, List<KeyedPut>>> byFile = new ConcurrentHashMap<>();

    KeyedPuts(JournalReader reader, FilesAtOnce filesAtOnce, long sinceMs, Set<TopicPartition> partitions) {
        this.reader = reader;
        this.filesAtOnce = filesAtOnce;
        this.sinceMs = sinceMs;
        this.partitions = Set.copyOf(partitions);
    }

    /** True if it may be asked for all of these. */
    public boolean covers(Collection<TopicPartition> asked) {
        return partitions.containsAll(asked);
    }

    /** True if the file may have puts of the partition that are young enough. */
    private boolean isYoung(TopicPartition partition, FileRange range) {
        PartitionExtent extent = range.file().extent(partition);
        return extent != null && extent.lastTimeMs() >= sinceMs;
    }

    /** Reads what {@link #of} will be asked for, several files at the same time. Blocks. */
    void readAhead(Map<TopicPartition, List<FileRange>> ranges) throws IOException {
        Map<JournalFileId, JournalFile> unread = new HashMap<>();
        ranges.forEach((partition, ofPartition) -> ofPartition.stream()
                .filter(range -> isYoung(partition, range))
                .map(FileRange::file)
                .filter(file -> !byFile.containsKey(file.id()))
                .forEach(file -> unread.put(file.id(), file)));
        filesAtOnce.each(List.copyOf(unread.values()), file -> byFile.put(file.id(), read(file)));
    }

    /** Those of a partition in a range, oldest first. */
    List<KeyedPut> of(TopicPartition partition, FileRange range) throws IOException {
        if (!partitions.contains(partition)) {
            throw new IllegalArgumentException(partition + " is not one of those that are kept");
        }
        if (!isYoung(partition, range)) {
            return List.of();
        }
        Map<TopicPartition, List<KeyedPut>> ofFile = byFile.get(range.file().id());
        if (ofFile == null) {
            ofFile = read(range.file());
            byFile.put(range.file().id(), ofFile);
        }
        // What is at or above the end of the range is void: it was never acknowledged.
        return ofFile.getOrDefault(partition, List.of()).stream()
                .filter(put -> put.firstOffset() < range.endOffset())
                .toList();
    }

    private Map<TopicPartition, List<KeyedPut>> read(JournalFile file) throws IOException {
        return reader.keyedPuts(file).stream()
                .filter(put -> put.appendTimestampMs() >= sinceMs && partitions.contains(put.partition()))
                .collect(Collectors.groupingBy(KeyedPut::partition));
    }
}
