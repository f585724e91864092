package io.talosgateway.rest.journal.read;

/** Where some of the puts of a partition are, by their first offsets, which rise, in a ring of numbers. For one thread. */
final class SparseIndex {

    /** Pairs of an offset and a position. */
    private static final int PAIR = 2;

    private static final int LEAST_PAIRS = 2;
    private static final long[] NOTHING = {};

    private long[] pairs = NOTHING;
    private int head;
    private int size;

    void add(long offset, long position) {
        if (size == capacity()) {
            resize(Math.max(LEAST_PAIRS, 2 * size));
        }
        int at = at(size);
        pairs[at] = offset;
        pairs[at + 1] = position;
        size++;
    }

    /** Forgets those below a position. */
    void removeBelow(long position) {
        while (size > 0 && pairs[at(0) + 1] < position) {
            head = (head + 1) & (capacity() - 1);
            size--;
        }
        if (size == 0) {
            clear();
        } else if (capacity() > LEAST_PAIRS && size <= capacity() / 4) {
            resize(capacity() / 2);
        }
    }

    void clear() {
        pairs = NOTHING;
        head = 0;
        size = 0;
    }

    /** The position of the last put at or below an offset, or {@code otherwise} if none is here. */
    long floor(long offset, long otherwise) {
        int low = 0;
        int high = size;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (pairs[at(middle)] <= offset) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low == 0 ? otherwise : pairs[at(low - 1) + 1];
    }

    /** How many have room in the memory that it takes. */
    int capacity() {
        return pairs.length / PAIR;
    }

    private void resize(int capacity) {
        long[] resized = new long[capacity * PAIR];
        int first = Math.min(size, capacity() - head);
        System.arraycopy(pairs, head * PAIR, resized, 0, first * PAIR);
        System.arraycopy(pairs, 0, resized, first * PAIR, (size - first) * PAIR);
        pairs = resized;
        head = 0;
    }

    private int at(int index) {
        return ((head + index) & (capacity() - 1)) * PAIR;
    }
}
