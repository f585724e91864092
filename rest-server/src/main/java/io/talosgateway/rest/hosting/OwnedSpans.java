package io.talosgateway.rest.hosting;

import io.talosgateway.rest.coordination.OwnershipRecord.JournalReference;
import io.talosgateway.rest.journal.JournalId;
import io.talosgateway.rest.journal.JournalSpan;

/** The journals of an ownership record, as coordination and as the journal calls them. */
final class OwnedSpans {

    private OwnedSpans() {}

    static JournalSpan span(JournalReference reference) {
        return new JournalSpan(
                new JournalId(reference.host(), reference.incarnation()),
                reference.firstOffset(),
                reference.totalBytes());
    }

    static JournalReference reference(JournalSpan span) {
        return new JournalReference(
                span.journal().host(), span.journal().incarnation(), span.firstOffset(), span.totalBytes());
    }
}
