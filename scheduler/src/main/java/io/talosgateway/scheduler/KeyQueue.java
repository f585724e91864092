package io.talosgateway.scheduler;

import org.jspecify.annotations.Nullable;

/** The queued tasks of one key that is not idle, oldest first. Part of {@link WorkerQueue}. */
final class KeyQueue<K> {

    /** The worker, for ever. */
    final int worker;

    /** Changes only while the queue is not in the table. */
    private @Nullable K key;

    /** Of the key, as {@link KeyTable} spreads it. */
    int hash;

    // Guarded by the monitor of the table's part.
    @Nullable
    KeyQueue<K> nextInTable;

    // Guarded by the monitor of the worker's queue, as is the key.
    @Nullable
    KeyQueue<K> nextUnused;

    @Nullable
    KeyedTask<K> head;

    @Nullable
    KeyedTask<K> tail;

    int size;
    long bytes;
    /** How often in a row this key was ready, first of its priority, and passed over. */
    int bypasses;
    /** Place in the heap of ready keys, -1 when not ready. */
    int heapIndex = -1;
    /** The priority under which the key is in the heap. */
    Priority readyPriority = Priority.NORMAL;

    KeyQueue(int worker) {
        this.worker = worker;
    }

    /** Becomes the queue of a key. */
    void begin(K newKey) {
        key = newKey;
        hash = KeyTable.hash(newKey);
        bypasses = 0;
    }

    /** The key is idle. */
    void end() {
        key = null;
    }

    boolean isOf(K other) {
        return other.equals(key);
    }

    /** The key of a queue that is in use. */
    K key() {
        K current = key;
        if (current == null) {
            throw new AssertionError("a queue in use has a key");
        }
        return current;
    }

    /** The oldest task of a queue that is not empty. */
    KeyedTask<K> oldest() {
        KeyedTask<K> oldest = head;
        if (oldest == null) {
            throw new AssertionError("a ready key has a task");
        }
        return oldest;
    }

    void append(KeyedTask<K> task) {
        KeyedTask<K> last = tail;
        task.previousOfKey = last;
        task.queue = this;
        if (last == null) {
            head = task;
        } else {
            last.nextOfKey = task;
        }
        tail = task;
        size++;
        bytes += task.bytes;
    }

    void unlink(KeyedTask<K> task) {
        KeyedTask<K> previous = task.previousOfKey;
        KeyedTask<K> next = task.nextOfKey;
        if (previous == null) {
            head = next;
        } else {
            previous.nextOfKey = next;
        }
        if (next == null) {
            tail = previous;
        } else {
            next.previousOfKey = previous;
        }
        task.previousOfKey = null;
        task.nextOfKey = null;
        task.queue = null;
        size--;
        bytes -= task.bytes;
    }
}
