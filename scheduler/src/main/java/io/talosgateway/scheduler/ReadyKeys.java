package io.talosgateway.scheduler;

import java.util.Arrays;

import org.jspecify.annotations.Nullable;

/**
 * The ready keys of one worker that have the same priority, as a binary heap with the key of the oldest task on top. A
 * key knows its place, so that any key can be removed in O(log n).
 */
final class ReadyKeys<K> {

    @SuppressWarnings({"unchecked", "rawtypes"})
    private KeyQueue<K>[] heap = new KeyQueue[4];

    private int size;

    @Nullable
    KeyQueue<K> first() {
        return size == 0 ? null : heap[0];
    }

    int size() {
        return size;
    }

    void add(KeyQueue<K> queue) {
        if (size == heap.length) {
            heap = Arrays.copyOf(heap, size * 2);
        }
        place(queue, size++);
        siftUp(queue.heapIndex);
    }

    void remove(KeyQueue<K> queue) {
        int index = queue.heapIndex;
        KeyQueue<K> last = heap[--size];
        clear(size);
        queue.heapIndex = -1;
        if (last != queue) {
            place(last, index);
            siftUp(index);
            siftDown(last.heapIndex);
        }
    }

    @SuppressWarnings("NullAway") // a slot past the end of the heap is never read
    private void clear(int index) {
        heap[index] = null;
    }

    private void siftUp(int from) {
        int index = from;
        while (index > 0 && isOlder(heap[index], heap[(index - 1) / 2])) {
            swap(index, (index - 1) / 2);
            index = (index - 1) / 2;
        }
    }

    private void siftDown(int from) {
        int index = from;
        while (true) {
            int oldest = index;
            for (int child = 2 * index + 1; child <= 2 * index + 2 && child < size; child++) {
                if (isOlder(heap[child], heap[oldest])) {
                    oldest = child;
                }
            }
            if (oldest == index) {
                return;
            }
            swap(index, oldest);
            index = oldest;
        }
    }

    private boolean isOlder(KeyQueue<K> a, KeyQueue<K> b) {
        return a.oldest().sequence < b.oldest().sequence;
    }

    private void swap(int a, int b) {
        KeyQueue<K> atA = heap[a];
        place(heap[b], a);
        place(atA, b);
    }

    private void place(KeyQueue<K> queue, int index) {
        heap[index] = queue;
        queue.heapIndex = index;
    }
}
