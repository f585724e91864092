package io.talosgateway.rest.journal.recovery;

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

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import com.google.common.util.concurrent.Striped;
import io.talosgateway.rest.config.DataSize;
import io.talosgateway.rest.journal.JournalId;
import io.talosgateway.rest.journal.file.DamagedIndexException;
import io.talosgateway.rest.journal.file.FilesAtOnce;
import io.talosgateway.rest.journal.file.IndexFileName;
import io.talosgateway.rest.journal.file.IndexHeads;
import io.talosgateway.rest.journal.file.JournalFile;
import io.talosgateway.rest.journal.file.JournalFileId;
import io.talosgateway.rest.topic.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The journals that other incarnations have written: taken over, and looked up by partition. Keeps which index files they have,
 * and not what all of these say; of journals that were not needed for long not even that. Safe for use by any thread.
 */
final class OtherJournals {

    private static final Logger log = LoggerFactory.getLogger(OtherJournals.class);
    private static final int LOCKS = 64;

    private final JournalRecovery recovery;
    private final FilesAtOnce filesAtOnce;
    private final Cache<JournalId, JournalCatalog> catalogs;
    /** One at a time for each journal, so that its files are read once. */
    private final Striped<Lock> locks = Striped.lock(LOCKS);

    private final IndexHeads heads;

    /** @param memory for what is known of journals but the newest; beyond it, it is read again when it is needed */
    OtherJournals(JournalRecovery recovery, IndexHeads heads, FilesAtOnce filesAtOnce, DataSize memory) {
        this.recovery = recovery;
        this.heads = heads;
        this.filesAtOnce = filesAtOnce;
        // In one segment: then the one goes that was not needed for longest.
        this.catalogs = CacheBuilder.newBuilder()
                .concurrencyLevel(1)
                .maximumWeight(memory.toBytes())
                .weigher((JournalId journal, JournalCatalog catalog) ->
                        (int) Math.min(memory.toBytes(), catalog.memoryBytes()))
                .build();
    }

    void recover(JournalId journal, IntConsumer progress) throws IOException {
        Lock lock = locks.get(journal);
        lock.lock();
        try {
            JournalCatalog known = known(journal);
            if (!known.ended()) {
                catalogs.put(journal, recovery.recover(journal, known, progress));
            }
        } finally {
            lock.unlock();
        }
    }

    void adopt(JournalId journal) throws IOException {
        Lock lock = locks.get(journal);
        lock.lock();
        try {
            JournalCatalog known = known(journal);
            if (!known.ended()) {
                catalogs.put(journal, recovery.sealedFiles(journal, known));
            }
        } finally {
            lock.unlock();
        }
    }

    private JournalCatalog known(JournalId journal) {
        return catalogs.asMap().getOrDefault(journal, JournalCatalog.EMPTY);
    }

    boolean wasRecovered(JournalId journal) throws IOException {
        return recovery.isRecovered(journal);
    }

    boolean isRecovered(JournalId journal) {
        return known(journal).ended();
    }

    /**
     * The files of a journal that was recovered or adopted before, in order of lane and sequence, each with what it says of some
     * partitions; maybe those too that say nothing of them. Blocks.
     */
    List<JournalFile> files(JournalId journal, Set<TopicPartition> partitions) throws IOException {
        Lock lock = locks.get(journal);
        lock.lock();
        try {
            JournalCatalog catalog = catalogs.getIfPresent(journal);
            if (catalog == null) {
                catalog = recovery.sealedFiles(journal, JournalCatalog.EMPTY);
            }
            while (true) {
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
                    catalogs.put(journal, catalog);
                    return inOrder(catalog.loose(), indexed);
                }
                catalog = replaced(journal, catalog, lost);
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

    /** The writer of a living journal may have put others in their place; those that are damaged are still there. */
    private JournalCatalog replaced(JournalId journal, JournalCatalog catalog, Set<IndexFileName> lost)
            throws IOException {
        lost.forEach(name -> heads.forget(journal, name));
        JournalCatalog replaced = catalog.ended() ? catalog : recovery.sealedFiles(journal, catalog);
        for (IndexFileName name : lost) {
            replaced = recovery.withoutIndex(journal, replaced, name);
        }
        return replaced;
    }
}
