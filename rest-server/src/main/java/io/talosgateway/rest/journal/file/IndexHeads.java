package io.talosgateway.rest.journal.file;

import java.io.IOException;
import java.util.List;
import java.util.Set;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.talosgateway.rest.journal.JournalId;
import io.talosgateway.rest.journal.JournalStorage;
import io.talosgateway.rest.journal.JournalStorage.ReadFile;
import io.talosgateway.rest.topic.TopicPartition;

/**
 * The heads of index files that were read lately: a batch of partitions follows another that was in the same journal. Safe for
 * use by any thread.
 */
public final class IndexHeads {

    private static final long MAX_BYTES = 32 << 20;

    private final JournalStorage storage;
    private final Cache<String, IndexFile> byPath = Caffeine.newBuilder()
            .maximumWeight(MAX_BYTES)
            .weigher((String path, IndexFile head) -> head.memoryBytes())
            .executor(Runnable::run)
            .build();

    public IndexHeads(JournalStorage storage) {
        this.storage = storage;
    }

    /** As {@link IndexFile#read}. */
    public IndexFile read(JournalId journal, IndexFileName name) throws IOException {
        String path = name.path(journal);
        IndexFile head = byPath.getIfPresent(path);
        if (head == null) {
            head = IndexFile.read(storage, journal, name);
            byPath.put(path, head);
        }
        return head;
    }

    /**
     * Those of the journal files in an index file that say something of some partitions, as {@link IndexFile#files}. Opens it
     * once: hundreds of hosts may do so at the same time.
     */
    public List<JournalFile> files(JournalId journal, IndexFileName name, Set<TopicPartition> partitions)
            throws IOException {
        String path = name.path(journal);
        IndexFile known = byPath.getIfPresent(path);
        if (known != null && !known.namesAny(partitions)) {
            return List.of();
        }
        try (ReadFile file = storage.open(path)) {
            IndexFile head = known;
            if (head == null) {
                head = IndexFile.read(file, journal, name);
                byPath.put(path, head);
            }
            return head.files(file, partitions);
        }
    }

    public void forget(JournalId journal, IndexFileName name) {
        byPath.invalidate(name.path(journal));
    }
}
