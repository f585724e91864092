package io.talosgateway.rest.journal.recovery;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

import io.talosgateway.rest.journal.JournalId;
import io.talosgateway.rest.journal.JournalSpan;
import io.talosgateway.rest.journal.file.JournalFile;
import io.talosgateway.rest.journal.file.PartitionEnd;
import io.talosgateway.rest.journal.file.PartitionExtent;
import io.talosgateway.rest.topic.OwnerEpoch;
import io.talosgateway.rest.topic.TopicId;
import io.talosgateway.rest.topic.TopicPartition;

/**
 * Which journal files nobody needs any more. Only the ownership records decide, never a clock: a file may hold the last message
 * of a partition, and so be the only one that tells where the partition ends.
 *
 * <p>A file goes when, for each partition that it names, the topic is deleted or
 *
 * <ul>
 *   <li>the record's start offset is above the messages in the file, so that the record knows an end that is not below them; and
 *   <li>nobody has still to find the partition's end in the file's journal: the journal is this incarnation's own, which knows
 *       its ends, or the partition was released, or has another owner by now. Until then the file's start record may be what
 *       voids the rest of a failed write in an earlier file; and
 *   <li>the record is not older than the file, by the epoch of the owner that wrote it.
 * </ul>
 *
 * For one thread.
 *
 * @param isDeleted whether a topic is deleted for sure
 * @param records reads the records of partitions; one that never had an owner has none
 */
public record FileRetention(
        Predicate<TopicId> isDeleted, Function<Set<TopicPartition>, Map<TopicPartition, RecordedPartition>> records) {

    /** What the records say of some partitions; those of deleted topics need none. */
    static final class Records {

        private final Set<TopicPartition> existing;
        private final Map<TopicPartition, RecordedPartition> recorded;

        private Records(Set<TopicPartition> existing, Map<TopicPartition, RecordedPartition> recorded) {
            this.existing = existing;
            this.recorded = recorded;
        }

        /** Whether somebody has still to find the end of a partition in a journal that names it, or nobody knows. */
        boolean isEndOpen(TopicPartition partition, JournalId journal, JournalId current) {
            if (!existing.contains(partition)) {
                return false;
            }
            RecordedPartition record = recorded.get(partition);
            JournalSpan ofOwner = record == null ? null : record.lastSpan();
            return record == null
                    || ofOwner == null
                    || (ofOwner.journal().equals(journal) && !journal.equals(current) && !record.released());
        }

        /** Whether what a file's start says of a partition is known to its record. */
        boolean isKnown(PartitionEnd end) {
            RecordedPartition record = recorded.get(end.partition());
            JournalSpan ofOwner = record == null ? null : record.lastSpan();
            return !existing.contains(end.partition()) || (ofOwner != null && !isOutdated(ofOwner, end.epoch()));
        }

        /** A record may be read late, or be a former owner's copy: then it does not know what was written since. */
        private static boolean isOutdated(JournalSpan ofOwner, OwnerEpoch writtenIn) {
            return ofOwner.epoch().compareTo(writtenIn) < 0;
        }

        /** Whether the messages of a partition in a file of a journal are deleted by its record. */
        boolean isDone(PartitionExtent extent, JournalId journal) {
            if (!existing.contains(extent.partition())) {
                return true;
            }
            RecordedPartition record = recorded.get(extent.partition());
            JournalSpan ofOwner = record == null ? null : record.lastSpan();
            if (record == null || ofOwner == null || isOutdated(ofOwner, extent.epoch())) {
                return false;
            }
            // What a journal that has ended holds beyond the next owner's first offset was never acknowledged.
            long end = ofOwner.journal().equals(journal) && !record.released()
                    ? extent.endOffset()
                    : Math.min(extent.endOffset(), Math.max(ofOwner.firstOffset(), record.endOffset()));
            return record.startOffset() >= end;
        }
    }

    Records read(Set<TopicPartition> named) {
        Set<TopicPartition> existing = new HashSet<>(named);
        existing.removeIf(partition -> isDeleted.test(partition.topic()));
        return new Records(existing, existing.isEmpty() ? Map.of() : records.apply(existing));
    }

    /** Those of the files that may be deleted. */
    List<JournalFile> deletable(List<JournalFile> candidates, JournalId current) {
        Set<TopicPartition> named = new HashSet<>();
        candidates.forEach(file -> named.addAll(namedIn(file, current)));
        Records read = read(named);
        return candidates.stream()
                .filter(file -> isDeletable(file, current, read))
                .toList();
    }

    private static boolean isDeletable(JournalFile file, JournalId current, Records records) {
        JournalId journal = file.id().journal();
        for (TopicPartition partition : namedIn(file, current)) {
            PartitionExtent extent = file.extent(partition);
            PartitionEnd end = file.start().ends().get(partition);
            if (records.isEndOpen(partition, journal, current)
                    || (extent != null && !records.isDone(extent, journal))
                    || (end != null && !journal.equals(current) && !records.isKnown(end))) {
                return false;
            }
        }
        return true;
    }

    private static Set<TopicPartition> namedIn(JournalFile file, JournalId current) {
        Set<TopicPartition> named = new HashSet<>(file.partitions());
        if (!file.id().journal().equals(current)) {
            named.addAll(file.start().ends().keySet());
        }
        return named;
    }
}
