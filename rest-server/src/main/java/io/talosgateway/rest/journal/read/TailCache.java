package io.talosgateway.rest.journal.read;

import java.util.ArrayDeque;
import java.util.Arrays;

import io.talosgateway.rest.message.MessageBatch;
import io.talosgateway.wire.message.MessageBlock;
import io.talosgateway.wire.message.StoredBlock;
import org.jspecify.annotations.Nullable;

/**
 * The newest durable puts of all partitions, so that readers of the tail need no storage. When it is full, the oldest put
 * of any partition goes, so that what a partition keeps here is always its tail. Bounded in bytes. Safe for use by any
 * thread.
 */
public final class TailCache {

    /** What a put costs beside its bytes, nearly: objects for the put, its block and its place here. */
    private static final int OVERHEAD_BYTES = 256;

    private final long maxBytes;

    // Guarded by this.
    private final ArrayDeque<Entry> oldestFirst = new ArrayDeque<>();
    private long bytes;

    public TailCache(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    private record Entry(Tail tail, CachedPut put) {}

    /** A durable put. */
    public record CachedPut(long firstOffset, long appendTimestampMs, MessageBatch batch) {

        long endOffset() {
            return firstOffset + batch.messageCount();
        }

        int cost() {
            return batch.bytes() + OVERHEAD_BYTES;
        }
    }

    public synchronized void add(Tail tail, CachedPut put) {
        tail.add(put);
        oldestFirst.addLast(new Entry(tail, put));
        bytes += put.cost();
        while (bytes > maxBytes) {
            Entry oldest = oldestFirst.removeFirst();
            oldest.tail.remove(oldest.put);
            bytes -= oldest.put.cost();
        }
    }

    public synchronized long bytes() {
        return bytes;
    }

    /** What is cached of one partition: its last puts, without a gap, in a ring. Safe for use by any thread. */
    public static final class Tail {

        // Guarded by this.
        private @Nullable CachedPut[] ring = new CachedPut[4];
        private int head;
        private int size;

        private synchronized void add(CachedPut put) {
            if (size == ring.length) {
                @Nullable CachedPut[] larger = new CachedPut[size * 2];
                for (int index = 0; index < size; index++) {
                    larger[index] = at(index);
                }
                ring = larger;
                head = 0;
            }
            ring[(head + size) & (ring.length - 1)] = put;
            size++;
        }

        private synchronized void remove(CachedPut put) {
            if (size > 0 && at(0).firstOffset == put.firstOffset) {
                ring[head] = null;
                head = (head + 1) & (ring.length - 1);
                size--;
            }
        }

        public synchronized void clear() {
            Arrays.fill(ring, null);
            size = 0;
        }

        /**
         * Collects from the put that holds the collector's next offset.
         *
         * @param end what begins there or later is left out: a put is here a moment before it is announced
         * @return false if the offset is not here
         */
        public synchronized boolean collect(ReadResult.Collector collector, long end) {
            int index = indexOf(collector.nextOffset());
            if (index < 0) {
                return false;
            }
            for (; index < size && at(index).firstOffset < end && !collector.isFull(); index++) {
                CachedPut put = at(index);
                long offset = put.firstOffset;
                for (MessageBlock block : put.batch.blocks()) {
                    collector.offer(new StoredBlock(offset, put.appendTimestampMs, block));
                    offset += block.messageNumber();
                }
            }
            return true;
        }

        private int indexOf(long offset) {
            if (size == 0
                    || offset < at(0).firstOffset
                    || offset >= at(size - 1).endOffset()) {
                return -1;
            }
            int low = 0;
            int high = size - 1;
            while (low < high) {
                int middle = (low + high + 1) >>> 1;
                if (at(middle).firstOffset <= offset) {
                    low = middle;
                } else {
                    high = middle - 1;
                }
            }
            return low;
        }

        private CachedPut at(int index) {
            CachedPut put = ring[(head + index) & (ring.length - 1)];
            if (put == null) {
                throw new AssertionError("inside the ring");
            }
            return put;
        }
    }
}
