package io.talosgateway.scheduler;

import org.jspecify.annotations.Nullable;

/** The queued tasks of one key that is not idle, oldest first. Part of {@link KeyedQueues}. */
final class KeyQueue<K> {

    final K key;
    final int worker;

    @Nullable
    KeyedTask<K> head;

    @Nullable
    KeyedTask<K> tail;

    int size;
    boolean running;
    /** How often in a row this key was ready, first of its priority, and passed over. */
    int bypasses;
    /** Place in the heap of ready keys, -1 when not ready. */
    int heapIndex = -1;
    /** The priority under which the key is in the heap. */
    Priority readyPriority = Priority.NORMAL;

    KeyQueue(K key, int worker) {
        this.key = key;
        this.worker = worker;
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
    }
}
