package io.talosgateway.rest.journal.file;

import java.util.Arrays;

/**
 * The frames of one partition in one journal file: position, first offset and time of each, in 16 bytes a frame. Safe for
 * use by any thread; only the lane's committer adds.
 */
public final class PartitionFrames {

    private final long baseOffset;
    private final long baseTimeMs;

    // Guarded by this.
    private int size;
    private int[] positions = new int[8];
    /** A client says how many messages a block has: a file may have more than an int counts. */
    private long[] offsets = new long[8];

    private int[] times = new int[8];
    private long endOffset;
    private long lastTimeMs;
    private long bytes;

    /** An index whose first frame starts at this offset, at this time. */
    PartitionFrames(long baseOffset, long baseTimeMs) {
        this.baseOffset = baseOffset;
        this.endOffset = baseOffset;
        this.baseTimeMs = baseTimeMs;
        this.lastTimeMs = baseTimeMs;
    }

    /** Adds a frame behind the last. Its offset is the end offset, unless frames in between are lost. */
    synchronized void add(int position, long firstOffset, int messageCount, long timeMs, int blockBytes) {
        if (size == positions.length) {
            positions = Arrays.copyOf(positions, size * 2);
            offsets = Arrays.copyOf(offsets, size * 2);
            times = Arrays.copyOf(times, size * 2);
        }
        positions[size] = position;
        offsets[size] = firstOffset;
        times[size] = (int) Math.min(Integer.MAX_VALUE, timeMs - baseTimeMs);
        size++;
        endOffset = firstOffset + messageCount;
        lastTimeMs = timeMs;
        bytes += blockBytes;
    }

    public synchronized int size() {
        return size;
    }

    public long firstOffset() {
        return baseOffset;
    }

    /** Offset after the last message. */
    synchronized long endOffset() {
        return endOffset;
    }

    long firstTimeMs() {
        return baseTimeMs;
    }

    synchronized long lastTimeMs() {
        return lastTimeMs;
    }

    /** Bytes of blocks. */
    synchronized long bytes() {
        return bytes;
    }

    /** Number of the frame that holds {@code offset}; -1 if it is below the first. */
    public synchronized int frameWith(long offset) {
        if (offset < baseOffset) {
            return -1;
        }
        int found = Arrays.binarySearch(offsets, 0, size, offset);
        return found >= 0 ? found : -found - 2;
    }

    public synchronized int position(int frame) {
        return positions[frame];
    }

    public synchronized long firstOffset(int frame) {
        return offsets[frame];
    }

    synchronized long timeMs(int frame) {
        return baseTimeMs + times[frame];
    }

    /** First offset of the first frame appended at or after {@code timeMs}; the end offset if there is none. */
    public synchronized long firstOffsetAtOrAfter(long timeMs) {
        int low = 0;
        int high = size;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (baseTimeMs + times[middle] < timeMs) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low < size ? offsets[low] : endOffset;
    }

    /** What it takes in memory, nearly. */
    public synchronized int memoryBytes() {
        return 16 * positions.length + 96;
    }
}
