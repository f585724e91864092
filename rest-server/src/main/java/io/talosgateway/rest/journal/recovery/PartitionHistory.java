package io.talosgateway.rest.journal.recovery;

import java.util.List;

import io.talosgateway.rest.journal.JournalSpan;
import io.talosgateway.rest.journal.KeyedPut;
import io.talosgateway.rest.journal.file.FileRange;
import io.talosgateway.rest.journal.file.PartitionExtent;
import io.talosgateway.rest.topic.TopicPartition;

/** What earlier incarnations, or owners, have stored of a partition. */
public final class PartitionHistory {

    /** Of a partition that never held anything. */
    public static final PartitionHistory NONE = new PartitionHistory(List.of(), List.of(), 0, 0, 0, 0, 0, List.of());

    private final List<JournalSpan> spans;
    private final List<FileRange> ranges;
    private final long startOffset;
    private final long endOffset;
    private final long missingAtEnd;
    private final long lostBefore;
    private final long totalBytes;
    private final List<KeyedPut> keyedPuts;

    private PartitionHistory(
            List<JournalSpan> spans,
            List<FileRange> ranges,
            long startOffset,
            long endOffset,
            long missingAtEnd,
            long lostBefore,
            long totalBytes,
            List<KeyedPut> keyedPuts) {
        this.spans = List.copyOf(spans);
        this.ranges = List.copyOf(ranges);
        this.startOffset = startOffset;
        this.endOffset = endOffset;
        this.missingAtEnd = missingAtEnd;
        this.lostBefore = lostBefore;
        this.totalBytes = totalBytes;
        this.keyedPuts = List.copyOf(keyedPuts);
    }

    /**
     * What the files hold, and what the record knows. Files of deleted messages may be gone, so that either may know a later
     * end.
     *
     * @param spans those of the recorded spans that {@code ranges} are of
     * @param endByStart the highest end that a START record names: what is missing below was in memory only when the power was cut
     * @param foundEnd offset after the last message by the files
     * @param foundBytes bytes of blocks ever stored by the files
     */
    static PartitionHistory of(
            RecordedPartition recorded,
            List<JournalSpan> spans,
            List<FileRange> ranges,
            long endByStart,
            long foundEnd,
            long foundBytes) {
        long end = Math.max(foundEnd, recorded.endOffset());
        long firstStored = ranges.isEmpty() ? end : ranges.get(0).firstOffset();
        long lastStored = ranges.isEmpty() ? 0 : ranges.get(ranges.size() - 1).endOffset();
        long lostBefore = Math.max(
                recorded.lostBefore(), endByStart > Math.max(lastStored, recorded.startOffset()) ? endByStart : 0);
        long missing = recorded.endOffset() - Math.max(lastStored, Math.max(recorded.startOffset(), lostBefore));
        return new PartitionHistory(
                spans,
                ranges,
                Math.max(recorded.startOffset(), firstStored),
                end,
                Math.max(0, missing),
                lostBefore,
                Math.max(foundBytes, recorded.totalBytes()),
                List.of());
    }

    PartitionHistory with(List<KeyedPut> recent) {
        return new PartitionHistory(
                spans, ranges, startOffset, endOffset, missingAtEnd, lostBefore, totalBytes, recent);
    }

    /** The spans that still hold messages, oldest first. */
    public List<JournalSpan> spans() {
        return spans;
    }

    public List<FileRange> ranges() {
        return ranges;
    }

    /** Offset of the first message that is left; the end offset if none is. */
    public long startOffset() {
        return startOffset;
    }

    /** Offset that the next message gets. */
    public long endOffset() {
        return endOffset;
    }

    /**
     * How many of the newest messages are missing from the files, although the record says that they were stored and not deleted;
     * normally 0.
     */
    public long missingAtEnd() {
        return missingAtEnd;
    }

    /** Messages below that are in no file were in memory only when the power was cut; 0 if nothing is known to be lost. */
    public long lostBefore() {
        return lostBefore;
    }

    /** When the last message that is still there was appended, epoch milliseconds; 0 if there is none. */
    public long lastAppendMs(TopicPartition partition) {
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
