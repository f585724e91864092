package io.talosgateway.rest.journal;

import io.talosgateway.rest.topic.OwnerEpoch;

/**
 * Part of a partition's history: from {@code firstOffset} on, until the next span, its messages are in this journal, written in
 * this epoch. A partition that comes back to an incarnation has two spans of one journal.
 *
 * @param epoch {@link OwnerEpoch#NONE} if an earlier version recorded the span: then any
 * @param totalBytes bytes of blocks ever stored in the partition before
 */
public record JournalSpan(JournalId journal, OwnerEpoch epoch, long firstOffset, long totalBytes) {

    public boolean holds(OwnerEpoch writtenIn) {
        return epoch.equals(OwnerEpoch.NONE) || epoch.equals(writtenIn);
    }
}
