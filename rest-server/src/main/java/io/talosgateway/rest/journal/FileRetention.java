package io.talosgateway.rest.journal;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

import io.talosgateway.rest.topic.TopicId;
import io.talosgateway.rest.topic.TopicPartition;
import org.jspecify.annotations.Nullable;

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
 *       voids the rest of a failed write in an earlier file.
 * </ul>
 *
 * For one thread.
 *
 * @param isDeleted whether a topic is deleted for sure
 * @param records reads the records of partitions; one that never had an owner has none
 */
public record FileRetention(
        Predicate<TopicId> isDeleted, Function<Set<TopicPartition>, Map<TopicPartition, RecordedPartition>> records) {

    /** Those of the files that may be deleted. */
    List<JournalFile> deletable(List<JournalFile> candidates, JournalId current) {
        Set<TopicPartition> named = new HashSet<>();
        candidates.forEach(file -> named.addAll(namedIn(file, current)));
        named.removeIf(partition -> isDeleted.test(partition.topic()));
        if (candidates.isEmpty()) {
            return List.of();
        }
        Map<TopicPartition, RecordedPartition> recorded = named.isEmpty() ? Map.of() : records.apply(named);
        List<JournalFile> deletable = new ArrayList<>();
        for (JournalFile file : candidates) {
            if (namedIn(file, current).stream()
                    .allMatch(partition -> !named.contains(partition)
                            || isDone(file, current, file.extent(partition), recorded.get(partition)))) {
                deletable.add(file);
            }
        }
        return deletable;
    }

    private static Set<TopicPartition> namedIn(JournalFile file, JournalId current) {
        Set<TopicPartition> named = new HashSet<>(file.partitions());
        if (!file.id().journal().equals(current)) {
            named.addAll(file.start().ends().keySet());
        }
        return named;
    }

    private static boolean isDone(
            JournalFile file,
            JournalId current,
            @Nullable PartitionExtent extent,
            @Nullable RecordedPartition recorded) {
        JournalSpan ofOwner = recorded == null ? null : recorded.lastSpan();
        if (recorded == null || ofOwner == null) {
            return false;
        }
        JournalId journal = file.id().journal();
        boolean ownersJournal = ofOwner.journal().equals(journal);
        if (ownersJournal && !journal.equals(current) && !recorded.released()) {
            return false;
        }
        if (extent == null) {
            return true;
        }
        // What a journal that has ended holds beyond the next owner's first offset was never acknowledged.
        long end = ownersJournal && !recorded.released()
                ? extent.endOffset()
                : Math.min(extent.endOffset(), Math.max(ofOwner.firstOffset(), recorded.endOffset()));
        return recorded.startOffset() >= end;
    }
}
