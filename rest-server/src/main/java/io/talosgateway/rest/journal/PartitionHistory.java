package io.talosgateway.rest.journal;

import java.util.List;

import io.talosgateway.rest.topic.TopicPartition;

/** What earlier incarnations, or owners, have stored of a partition. Opaque but for its end. */
public final class PartitionHistory {

    /** Of a partition that never held anything. */
    public static final PartitionHistory NONE = new PartitionHistory(List.of(), 0, 0, List.of());

    private final List<FileRange> ranges;
    private final long endOffset;
    private final long totalBytes;
    private final List<KeyedPut> keyedPuts;

    PartitionHistory(List<FileRange> ranges, long endOffset, long totalBytes, List<KeyedPut> keyedPuts) {
        this.ranges = List.copyOf(ranges);
        this.endOffset = endOffset;
        this.totalBytes = totalBytes;
        this.keyedPuts = List.copyOf(keyedPuts);
    }

    PartitionHistory with(List<KeyedPut> recent) {
        return new PartitionHistory(ranges, endOffset, totalBytes, recent);
    }

    List<FileRange> ranges() {
        return ranges;
    }

    /** Offset that the next message gets. */
    public long endOffset() {
        return endOffset;
    }

    /** When the last message that is still there was appended, epoch milliseconds; 0 if there is none. */
    long lastAppendMs(TopicPartition partition) {
        long last = 0;
        for (FileRange range : ranges) {
            PartitionExtent extent = range.file().extent(partition);
            last = extent == null ? last : Math.max(last, extent.lastTimeMs());
        }
        return last;
    }

    /** Bytes of blocks ever stored. */
    public long totalBytes() {
        return totalBytes;
    }

    /** The recent puts with idempotency keys, oldest first. */
    public List<KeyedPut> keyedPuts() {
        return keyedPuts;
    }
}
