package io.talosgateway.rest.journal.recovery;

import java.util.List;

import io.talosgateway.rest.journal.JournalSpan;
import io.talosgateway.rest.topic.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * What the ownership record says of a partition: where its messages are, and which offsets are settled.
 *
 * @param spans the journals that hold them, oldest first; the last is the owner's
 * @param startOffset messages below it are deleted
 * @param endOffset the partition has ended here, or later
 * @param totalBytes bytes of blocks ever stored up to {@code endOffset}
 * @param released whether the partition ends at {@code endOffset} for sure, because its owner has given it up
 * @param lostBefore messages below that are in no file were lost in a power cut, as was found before
 */
public record RecordedPartition(
        TopicPartition partition,
        List<JournalSpan> spans,
        long startOffset,
        long endOffset,
        long totalBytes,
        boolean released,
        long lostBefore) {

    /** Of a partition of which nothing was lost. */
    public RecordedPartition(
            TopicPartition partition,
            List<JournalSpan> spans,
            long startOffset,
            long endOffset,
            long totalBytes,
            boolean released) {
        this(partition, spans, startOffset, endOffset, totalBytes, released, 0);
    }

    /** Of a partition that nobody has owned. */
    public static RecordedPartition none(TopicPartition partition) {
        return new RecordedPartition(partition, List.of(), 0, 0, 0, true);
    }

    /** Where the owner writes; null if there is none. */
    @Nullable
    JournalSpan lastSpan() {
        return spans.isEmpty() ? null : spans.get(spans.size() - 1);
    }

    /** Offset after the last that can be in a span; {@link Long#MAX_VALUE} if only the files of the span say so. */
    long endOfSpan(int number) {
        if (number + 1 < spans.size()) {
            return spans.get(number + 1).firstOffset();
        }
        return released ? endOffset : Long.MAX_VALUE;
    }
}
