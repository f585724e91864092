package io.talosgateway.scheduler;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/**
 * The queues of all busy keys, by key: a hash table whose chains run through the queues themselves, so that a key that
 * becomes busy and idle again costs no allocation. Safe for use by any thread; divided into parts with a monitor each, under
 * which nothing else is called but {@code equals} of keys.
 */
final class KeyTable<K> {

    private static final int MAX_PARTS = 64;
    /** The low bits of a hash choose the part, the next ones the bucket. */
    private static final int BITS_OF_PART = 6;

    private final List<Part<K>> parts = new ArrayList<>();

    /** @param threads how many threads use the table, about */
    KeyTable(int threads) {
        int count = Math.min(MAX_PARTS, Integer.highestOneBit(threads) * 4);
        while (parts.size() < count) {
            parts.add(new Part<>());
        }
    }

    static int hash(Object key) {
        int hash = key.hashCode() * 0x9e3779b9;
        return hash ^ (hash >>> 16);
    }

    private Part<K> part(int hash) {
        return parts.get(hash & (parts.size() - 1));
    }

    /** The key's queue; null if the key is idle. By the time it is looked at, it may be of another key. */
    @Nullable
    KeyQueue<K> find(K key) {
        int hash = hash(key);
        return part(hash).find(key, hash);
    }

    /** Adds a queue; false if the key has one. */
    boolean add(KeyQueue<K> queue) {
        return part(queue.hash).add(queue);
    }

    void remove(KeyQueue<K> queue) {
        part(queue.hash).remove(queue);
    }

    int size() {
        int size = 0;
        for (Part<K> part : parts) {
            size += part.size();
        }
        return size;
    }

    void forEach(Consumer<KeyQueue<K>> action) {
        for (Part<K> part : parts) {
            part.forEach(action);
        }
    }

    /** The keys whose hashes have the same low bits. */
    private static final class Part<K> {

        private static final int FIRST_CAPACITY = 16;

        @SuppressWarnings({"unchecked", "rawtypes"})
        private @Nullable KeyQueue<K>[] buckets = new KeyQueue[FIRST_CAPACITY];

        private int size;

        synchronized int size() {
            return size;
        }

        synchronized @Nullable KeyQueue<K> find(K key, int hash) {
            KeyQueue<K> queue = buckets[bucket(hash)];
            while (queue != null && !(queue.hash == hash && queue.isOf(key))) {
                queue = queue.nextInTable;
            }
            return queue;
        }

        synchronized boolean add(KeyQueue<K> queue) {
            if (find(queue.key(), queue.hash) != null) {
                return false;
            }
            if (size > buckets.length / 4 * 3) {
                grow();
            }
            link(queue);
            size++;
            return true;
        }

        synchronized void remove(KeyQueue<K> removed) {
            int bucket = bucket(removed.hash);
            KeyQueue<K> queue = buckets[bucket];
            KeyQueue<K> before = null;
            while (queue != null && queue != removed) {
                before = queue;
                queue = queue.nextInTable;
            }
            if (queue == null) {
                throw new IllegalStateException("not in the table");
            }
            if (before == null) {
                buckets[bucket] = removed.nextInTable;
            } else {
                before.nextInTable = removed.nextInTable;
            }
            removed.nextInTable = null;
            size--;
        }

        synchronized void forEach(Consumer<KeyQueue<K>> action) {
            for (KeyQueue<K> first : buckets) {
                for (KeyQueue<K> queue = first; queue != null; queue = queue.nextInTable) {
                    action.accept(queue);
                }
            }
        }

        private void link(KeyQueue<K> queue) {
            int bucket = bucket(queue.hash);
            queue.nextInTable = buckets[bucket];
            buckets[bucket] = queue;
        }

        private void grow() {
            @Nullable KeyQueue<K>[] old = buckets;
            buckets = Arrays.copyOf(old, old.length * 2);
            Arrays.fill(buckets, null);
            for (KeyQueue<K> first : old) {
                KeyQueue<K> queue = first;
                while (queue != null) {
                    KeyQueue<K> next = queue.nextInTable;
                    link(queue);
                    queue = next;
                }
            }
        }

        private int bucket(int hash) {
            return (hash >>> BITS_OF_PART) & (buckets.length - 1);
        }
    }
}
