package io.talosgateway.rest.journal.read;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

import io.talosgateway.wire.message.ByteSlice;
import org.jspecify.annotations.Nullable;

/**
 * Pages of files that were read lately. When there are too many bytes, the page that was not asked for the longest goes: the
 * partitions of a lane come by a page one after the other, and never again. A cache that keeps what was asked for most often
 * would keep the pages that everybody has passed, and drop the one that everybody needs next.
 *
 * <p>Safe for use by any thread.
 *
 * @param <K> which page
 */
final class PageCache<K> {

    /** What a page costs beside its bytes, nearly. */
    private static final int OVERHEAD_BYTES = 128;

    private final long maxBytes;

    // Guarded by this.
    private final Map<K, Entry> pages = new LinkedHashMap<>(16, 0.75f, true);
    private long bytes;

    PageCache(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    private static final class Entry {
        private final CompletableFuture<ByteSlice> page;
        /** 0 while the page is being read. */
        private long cost;

        Entry(CompletableFuture<ByteSlice> page) {
            this.page = page;
        }
    }

    /** The page, which may still be on its way; or null if it is not here: then {@code mine} is, and the caller reads it. */
    synchronized @Nullable CompletableFuture<ByteSlice> putIfAbsent(K key, CompletableFuture<ByteSlice> mine) {
        Entry entry = pages.get(key);
        if (entry != null) {
            return entry.page;
        }
        pages.put(key, new Entry(mine));
        return null;
    }

    /** Completes a page that was put here before, and makes room for it. */
    void complete(K key, CompletableFuture<ByteSlice> mine, ByteSlice page) {
        synchronized (this) {
            Entry entry = pages.get(key);
            if (entry != null && entry.page == mine) {
                entry.cost = (long) page.length() + OVERHEAD_BYTES;
                bytes += entry.cost;
                evict();
            }
        }
        mine.complete(page);
    }

    private void evict() {
        Iterator<Entry> longestUnusedFirst = pages.values().iterator();
        while (bytes > maxBytes && longestUnusedFirst.hasNext()) {
            Entry entry = longestUnusedFirst.next();
            if (entry.cost > 0) {
                longestUnusedFirst.remove();
                bytes -= entry.cost;
            }
        }
    }

    /** Takes a page out again, unless another has taken its place. */
    synchronized void remove(K key, CompletableFuture<ByteSlice> page) {
        Entry entry = pages.get(key);
        if (entry != null && entry.page == page) {
            pages.remove(key);
            bytes -= entry.cost;
        }
    }

    synchronized void removeIf(Predicate<K> which) {
        pages.entrySet().removeIf(page -> {
            boolean removed = which.test(page.getKey());
            bytes -= removed ? page.getValue().cost : 0;
            return removed;
        });
    }

    synchronized long bytes() {
        return bytes;
    }
}
