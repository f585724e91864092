package io.talosgateway.rest.journal.read;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

import io.talosgateway.rest.message.MessageBatch;
import org.jspecify.annotations.Nullable;

/**
 * The newest durable puts of all partitions, so that readers of the tail need no storage. When it is full, the oldest put
 * of any partition goes, so that what a partition keeps here is always its tail. Bounded in bytes. Safe for use by any
 * thread.
 *
 * <p>Puts are copied in and out: they are bytes in a ring that all partitions share, one {@link TailRecord} after another, and no
 * object is kept for a put. The records of a partition are linked by their positions; its {@link Tail} knows the first and the last, and
 * some between.
 */
public final class TailCache {

    private final ByteRing ring;

    // Guarded by this.
    private final List<@Nullable Tail> tails = new ArrayList<>();
    private final BitSet numbers = new BitSet();

    public TailCache(long maxBytes) {
        this.ring = new ByteRing(maxBytes);
    }

    /** Of a partition of which nothing is cached yet. It takes memory in here only while something is. */
    public Tail newTail() {
        return new Tail();
    }

    /**
     * Adds a durable put of a partition. If there is no room for it, even without all others, nothing of the partition is cached any more,
     * since its tail would have a gap.
     *
     * @param firstOffset offset of its first message, at the end of the put that was added before
     */
    public synchronized void add(Tail tail, long firstOffset, long appendTimestampMs, MessageBatch batch) {
        long length = TailRecord.length(batch);
        if (length > ring.capacity() || length > Integer.MAX_VALUE) {
            clear(tail);
            return;
        }
        while (ring.free() < length) {
            removeOldest();
        }
        if (tail.number < 0) {
            register(tail);
        }
        long position = ring.end();
        ring.extend(length);
        TailRecord.write(ring, position, length, tail.number, firstOffset, appendTimestampMs, batch);
        tail.add(position, firstOffset, firstOffset + batch.messageCount());
    }

    private void removeOldest() {
        long position = ring.start();
        Tail tail = tails.get(TailRecord.tail(ring, position));
        // None, or another one, if the partition was cleared.
        if (tail != null && tail.removeFirst(position)) {
            unregister(tail);
        }
        ring.discardBelow(position + TailRecord.length(ring, position));
    }

    /** Forgets what is cached of a partition. */
    public synchronized void clear(Tail tail) {
        if (tail.number >= 0) {
            tail.clear();
            unregister(tail);
        }
    }

    private void register(Tail tail) {
        tail.number = numbers.nextClearBit(0);
        numbers.set(tail.number);
        if (tail.number == tails.size()) {
            tails.add(tail);
        } else {
            tails.set(tail.number, tail);
        }
    }

    private void unregister(Tail tail) {
        tails.set(tail.number, null);
        numbers.clear(tail.number);
        tail.number = -1;
    }

    /** What the cached puts take. */
    public synchronized long bytes() {
        return ring.capacity() - ring.free();
    }

    /** What is cached of one partition: its last puts, without a gap. Safe for use by any thread. */
    public final class Tail {

        /** Puts between two that the index has: so many are passed on the way to an offset. */
        private static final int INDEXED = 16;

        /** Its place in {@link #tails} while it has puts; otherwise negative. Guarded by the cache. */
        private int number = -1;

        // Guarded by this.
        private final SparseIndex index = new SparseIndex();
        private int notIndexed;
        private long first = TailRecord.NONE;
        private long last;
        private long firstOffset;
        private long endOffset;

        private Tail() {}

        private synchronized void add(long position, long offset, long end) {
            if (first == TailRecord.NONE || offset != endOffset) {
                index.clear();
                first = position;
                firstOffset = offset;
                notIndexed = 0;
            } else {
                TailRecord.setNext(ring, last, position);
            }
            if (notIndexed == 0) {
                index.add(offset, position);
                notIndexed = INDEXED;
            }
            notIndexed--;
            last = position;
            endOffset = end;
        }

        /** True if it was its last. */
        private synchronized boolean removeFirst(long position) {
            if (position != first) {
                return false;
            }
            firstOffset = TailRecord.endOffset(ring, first);
            first = TailRecord.next(ring, first);
            if (first == TailRecord.NONE) {
                index.clear();
                return true;
            }
            index.removeBelow(first);
            return false;
        }

        private synchronized void clear() {
            first = TailRecord.NONE;
            index.clear();
        }

        /**
         * Collects from the put that holds the collector's next offset.
         *
         * @param end what begins there or later is left out: a put is here a moment before it is announced
         * @return false if the offset is not here
         */
        public boolean collect(ReadResult.Collector collector, long end) {
            long asked = collector.nextOffset();
            long position;
            long endOfTail;
            synchronized (this) {
                if (first == TailRecord.NONE || asked < firstOffset || asked >= endOffset) {
                    return false;
                }
                position = index.floor(asked, first);
                endOfTail = endOffset;
            }
            // Without the lock, which the lane waits for: it is noticed when what is read here goes meanwhile.
            while (!collector.isFull()) {
                long offset = TailRecord.firstOffset(ring, position);
                long endOfPut = TailRecord.endOffset(ring, position);
                long next = TailRecord.next(ring, position);
                if (!ring.holds(position)) {
                    return collector.nextOffset() > asked;
                }
                if (offset >= end) {
                    break;
                }
                if (endOfPut > asked && !TailRecord.offer(ring, position, collector)) {
                    return collector.nextOffset() > asked;
                }
                if (endOfPut >= endOfTail) {
                    break;
                }
                position = next;
            }
            return true;
        }
    }
}
