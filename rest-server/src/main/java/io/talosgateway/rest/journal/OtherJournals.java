package io.talosgateway.rest.journal;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Lock;
import java.util.function.IntConsumer;

import com.google.common.util.concurrent.Striped;
import io.talosgateway.rest.topic.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The journals that other incarnations have written: taken over, and looked up by partition. Keeps which index files they have,
 * and not what all of these say. Safe for use by any thread.
 */
final class OtherJournals {

    private static final Logger log = LoggerFactory.getLogger(OtherJournals.class);
    private static final int LOCKS = 64;

    private final JournalRecovery recovery;
    private final FilesAtOnce filesAtOnce;
    private final Map<JournalId, JournalCatalog> catalogs = new ConcurrentHashMap<>();
    /** Journals of which all files are known, because nobody writes them any more. */
    private final Set<JournalId> ended = ConcurrentHashMap.newKeySet();
    /** One at a time for each journal, so that its files are read once. */
    private final Striped<Lock> locks = Striped.lock(LOCKS);

    private final IndexHeads heads;

    OtherJournals(JournalRecovery recovery, IndexHeads heads, FilesAtOnce filesAtOnce) {
        this.recovery = recovery;
        this.heads = heads;
        this.filesAtOnce = filesAtOnce;
    }

    void recover(JournalId journal, IntConsumer progress) throws IOException {
        Lock lock = locks.get(journal);
        lock.lock();
        try {
            if (!ended.contains(journal)) {
                catalogs.put(journal, recovery.recover(journal, catalog(journal), progress));
                ended.add(journal);
            }
        } finally {
            lock.unlock();
        }
    }

    void adopt(JournalId journal) throws IOException {
        Lock lock = locks.get(journal);
        lock.lock();
        try {
            if (!ended.contains(journal)) {
                catalogs.put(journal, recovery.sealedFiles(journal, catalog(journal)));
            }
        } finally {
            lock.unlock();
        }
    }

    boolean wasRecovered(JournalId journal) throws IOException {
        return recovery.isRecovered(journal);
    }

    boolean isRecovered(JournalId journal) {
        return ended.contains(journal);
    }

    private JournalCatalog catalog(JournalId journal) {
        return catalogs.getOrDefault(journal, JournalCatalog.EMPTY);
    }

    /**
     * The files of a journal that was recovered or adopted before, in order of lane and sequence, each with what it says of some
     * partitions; maybe those too that say nothing of them. Blocks.
     */
    List<JournalFile> files(JournalId journal, Set<TopicPartition> partitions) throws IOException {
        Lock lock = locks.get(journal);
        lock.lock();
        try {
            while (true) {
                JournalCatalog catalog = catalog(journal);
                List<IndexFileName> names = List.copyOf(catalog.indexed().keySet());
                Set<IndexFileName> lost = ConcurrentHashMap.newKeySet();
                List<List<JournalFile>> indexed = filesAtOnce.each(names, name -> {
                    try {
                        return heads.files(journal, name, partitions);
                    } catch (DamagedIndexException | FileNotFoundException e) {
                        log.warn("An index file of {} cannot be used ({}); reading footers", journal, e.getMessage());
                        lost.add(name);
                        return List.of();
                    }
                });
                if (lost.isEmpty()) {
                    return inOrder(catalog.loose(), indexed);
                }
                replace(journal, catalog, lost);
            }
        } finally {
            lock.unlock();
        }
    }

    private static List<JournalFile> inOrder(List<JournalFile> loose, List<List<JournalFile>> indexed) {
        Map<JournalFileId, JournalFile> files = new HashMap<>();
        loose.forEach(file -> files.put(file.id(), file));
        indexed.forEach(of -> of.forEach(file -> files.putIfAbsent(file.id(), file)));
        return files.values().stream()
                .sorted(Comparator.comparing(JournalFile::id, JournalFileId.IN_ORDER))
                .toList();
    }

    /** The writer of a living journal has put others in their place. */
    private void replace(JournalId journal, JournalCatalog catalog, Set<IndexFileName> lost) throws IOException {
        JournalCatalog replaced = catalog;
        if (ended.contains(journal)) {
            for (IndexFileName name : lost) {
                replaced = recovery.withoutIndex(journal, replaced, name);
            }
        } else {
            replaced = recovery.sealedFiles(journal, catalog);
        }
        lost.forEach(name -> heads.forget(journal, name));
        catalogs.put(journal, replaced);
    }
}
