package io.talosgateway.rest.journal.recovery;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.talosgateway.rest.journal.JournalId;
import io.talosgateway.rest.journal.JournalStorage;
import io.talosgateway.rest.journal.JournalStorage.ReadFile;
import io.talosgateway.rest.journal.file.DamagedIndexException;
import io.talosgateway.rest.journal.file.ExpiryCheck;
import io.talosgateway.rest.journal.file.IndexFile;
import io.talosgateway.rest.journal.file.IndexFileName;
import io.talosgateway.rest.journal.file.IndexHeads;
import io.talosgateway.rest.journal.file.IndexRows;
import io.talosgateway.rest.journal.file.JournalFile;
import io.talosgateway.rest.journal.file.JournalFileId;
import io.talosgateway.rest.topic.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes what nobody needs any more of journals that are not written any more, and in the end their directories. Two hosts may do
 * so for the same journal. For one thread; blocks for storage.
 */
final class EndedJournals {

    private static final Logger log = LoggerFactory.getLogger(EndedJournals.class);

    private final JournalId current;
    private final JournalStorage storage;
    private final JournalRecovery recovery;
    private final IndexHeads heads;
    private final FileDeletion deletion;
    private final Map<JournalId, Left> known = new HashMap<>();

    EndedJournals(
            JournalId current,
            JournalStorage storage,
            JournalRecovery recovery,
            IndexHeads heads,
            FileDeletion deletion) {
        this.current = current;
        this.storage = storage;
        this.recovery = recovery;
        this.heads = heads;
        this.deletion = deletion;
    }

    /** The files of a journal that are not deleted yet. */
    private static final class Left {

        private JournalCatalog catalog;

        private Left(JournalCatalog catalog) {
            this.catalog = catalog;
        }

        private boolean isEmpty() {
            return catalog.loose().isEmpty()
                    && catalog.indexed().values().stream().allMatch(BitSet::isEmpty);
        }
    }

    /**
     * Deletes files of some journals, as {@link FileRetention} says.
     *
     * @param takeOver takes over those that nobody has taken over
     * @return the number of files deleted
     */
    int deleteExpired(
            Collection<JournalId> journals, JournalTakeOver takeOver, ExpiryCheck expiry, FileRetention retention) {
        known.keySet().retainAll(journals);
        int deleted = 0;
        for (JournalId journal : journals) {
            try {
                Left left = journal.equals(current) ? null : left(journal, takeOver);
                if (left != null) {
                    deleted += deleteLoose(left, expiry, retention);
                    for (IndexFileName name : List.copyOf(left.catalog.indexed().keySet())) {
                        deleted += deleteIndexed(journal, name, left, expiry, retention);
                    }
                    if (left.isEmpty()) {
                        storage.delete(journal.directory());
                        known.remove(journal);
                    }
                }
            } catch (IOException e) {
                log.warn("Files of {} that are out of their retention stay for now: {}", journal, e.toString());
            }
        }
        return deleted;
    }

    private @Nullable Left left(JournalId journal, JournalTakeOver takeOver) throws IOException {
        Left left = known.get(journal);
        if (left == null && (recovery.isRecovered(journal) || takeOver.ifGone(journal))) {
            left = new Left(recovery.recover(journal, JournalCatalog.EMPTY, done -> {}));
            known.put(journal, left);
        }
        return left;
    }

    private int deleteLoose(Left left, ExpiryCheck expiry, FileRetention retention) {
        List<JournalFile> candidates = left.catalog.loose().stream()
                .filter(file -> file.mayBeExpired(expiry))
                .toList();
        List<JournalFile> deleted = retention.deletable(candidates, current).stream()
                .filter(file -> deletion.delete(file.id()))
                .toList();
        left.catalog = new JournalCatalog(
                true,
                left.catalog.loose().stream()
                        .filter(file -> !deleted.contains(file))
                        .toList(),
                left.catalog.indexed());
        return deleted.size();
    }

    private int deleteIndexed(
            JournalId journal, IndexFileName name, Left left, ExpiryCheck expiry, FileRetention retention)
            throws IOException {
        BitSet sequences = left.catalog.indexed().get(name);
        if (sequences == null || sequences.isEmpty()) {
            return 0;
        }
        try {
            IndexFile index = heads.read(journal, name);
            int deleted = 0;
            if (index.mayBeExpired(expiry)) {
                for (JournalFileId file : deletable(journal, index, retention)) {
                    if (sequences.get(file.sequence()) && deletion.delete(file)) {
                        sequences.clear(file.sequence());
                        deleted++;
                    }
                }
            }
            return deleted;
        } catch (DamagedIndexException | FileNotFoundException e) {
            log.warn("An index file of {} cannot be used ({}); reading footers", journal, e.getMessage());
            heads.forget(journal, name);
            left.catalog = recovery.withoutIndex(journal, left.catalog, name);
            return 0;
        }
    }

    private List<JournalFileId> deletable(JournalId journal, IndexFile index, FileRetention retention)
            throws IOException {
        Set<TopicPartition> partitions = index.partitions();
        FileRetention.Records records = retention.read(partitions);
        if (partitions.stream().anyMatch(partition -> records.isEndOpen(partition, journal, current))) {
            return List.of();
        }
        BitSet kept = new BitSet();
        try (ReadFile file = index.open(storage)) {
            for (TopicPartition partition : partitions) {
                for (IndexRows.Row row : index.rows(file, partition)) {
                    if ((row.sealed() != null && !records.isDone(row.sealed().extent(), journal))
                            || (row.end() != null && !records.isKnown(row.end()))) {
                        kept.set(row.file());
                    }
                }
            }
        }
        return index.filesBut(kept);
    }
}
