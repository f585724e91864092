package io.talosgateway.rest.journal;

import java.io.IOException;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

/**
 * The heads of index files that were read lately: a batch of partitions follows another that was in the same journal. Safe for
 * use by any thread.
 */
final class IndexHeads {

    private static final long MAX_BYTES = 32 << 20;

    private final JournalStorage storage;
    private final Cache<String, IndexFile> byPath = Caffeine.newBuilder()
            .maximumWeight(MAX_BYTES)
            .weigher((String path, IndexFile head) -> head.memoryBytes())
            .executor(Runnable::run)
            .build();

    IndexHeads(JournalStorage storage) {
        this.storage = storage;
    }

    /** As {@link IndexFile#read}. */
    IndexFile read(JournalId journal, IndexFileName name) throws IOException {
        String path = name.path(journal);
        IndexFile head = byPath.getIfPresent(path);
        if (head == null) {
            head = IndexFile.read(storage, journal, name);
            byPath.put(path, head);
        }
        return head;
    }

    void forget(JournalId journal, IndexFileName name) {
        byPath.invalidate(name.path(journal));
    }
}
