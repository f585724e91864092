package io.talosgateway.rest.hosting;

import io.talosgateway.rest.coordination.OwnershipRecord;
import io.talosgateway.rest.coordination.OwnershipRecord.JournalReference;
import io.talosgateway.rest.journal.JournalId;
import io.talosgateway.rest.journal.JournalSpan;
import io.talosgateway.rest.journal.recovery.RecordedPartition;
import io.talosgateway.rest.topic.TopicPartition;

/** What an ownership record says of a partition's messages, as coordination and as the journal call it. */
final class OwnedSpans {

    private OwnedSpans() {}

    static RecordedPartition recorded(TopicPartition partition, OwnershipRecord record) {
        return new RecordedPartition(
                partition,
                record.journals().stream().map(OwnedSpans::span).toList(),
                record.startOffset(),
                record.endOffset(),
                record.totalBytes(),
                // Earlier versions released without an end.
                record.released() && record.endOffset() > 0,
                record.lostBefore());
    }

    private static JournalSpan span(JournalReference reference) {
        return new JournalSpan(
                new JournalId(reference.host(), reference.incarnation()),
                reference.epoch(),
                reference.firstOffset(),
                reference.totalBytes());
    }

    static JournalReference reference(JournalSpan span) {
        return new JournalReference(
                span.journal().host(),
                span.journal().incarnation(),
                span.epoch(),
                span.firstOffset(),
                span.totalBytes());
    }
}
