package io.talosgateway.scheduler;

import java.util.Arrays;

import org.jspecify.annotations.Nullable;

/**
 * The ready keys of one worker that have the same priority, as a binary heap with the key of the oldest task on top. A
 * key knows its place, so that any key can be removed in O(log n). Part of {@link WorkerQueue}.
 */
final class ReadyKeys<K> {

    @SuppressWarnings({"unchecked", "rawtypes"})
    private KeyQueue<K>[] heap = new KeyQueue[4];

    /** By place, when the oldest task of the key was queued: beside the keys, since a comparison should touch neither. */
    private long[] sequences = new long[4];

    private int size;

    @Nullable
    KeyQueue<K> first() {
        return size == 0 ? null : heap[0];
    }

    void add(KeyQueue<K> queue) {
        if (size == heap.length) {
            heap = Arrays.copyOf(heap, size * 2);
            sequences = Arrays.copyOf(sequences, size * 2);
        }
        siftUp(size++, queue, queue.oldest().sequence);
    }

    void remove(KeyQueue<K> queue) {
        int index = queue.heapIndex;
        KeyQueue<K> last = heap[--size];
        long lastSequence = sequences[size];
        clear(size);
        queue.heapIndex = -1;
        if (last == queue) {
            return;
        }
        if (index > 0 && lastSequence < sequences[parent(index)]) {
            siftUp(index, last, lastSequence);
        } else {
            siftDown(index, last, lastSequence);
        }
    }

    @SuppressWarnings("NullAway") // a slot past the end of the heap is never read
    private void clear(int index) {
        heap[index] = null;
    }

    /** Places a key at an index or above it. */
    private void siftUp(int from, KeyQueue<K> queue, long sequence) {
        int index = from;
        while (index > 0 && sequence < sequences[parent(index)]) {
            place(heap[parent(index)], sequences[parent(index)], index);
            index = parent(index);
        }
        place(queue, sequence, index);
    }

    /** Places a key at an index or below it. */
    private void siftDown(int from, KeyQueue<K> queue, long sequence) {
        int index = from;
        int child = 2 * index + 1;
        while (child < size) {
            if (child + 1 < size && sequences[child + 1] < sequences[child]) {
                child++;
            }
            if (sequence < sequences[child]) {
                break;
            }
            place(heap[child], sequences[child], index);
            index = child;
            child = 2 * index + 1;
        }
        place(queue, sequence, index);
    }

    private static int parent(int index) {
        return (index - 1) / 2;
    }

    private void place(KeyQueue<K> queue, long sequence, int index) {
        heap[index] = queue;
        sequences[index] = sequence;
        queue.heapIndex = index;
    }
}
