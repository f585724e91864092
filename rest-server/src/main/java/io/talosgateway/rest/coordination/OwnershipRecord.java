package io.talosgateway.rest.coordination;

import java.util.List;

import io.talosgateway.rest.topic.OwnerEpoch;

/**
 * Who owns a partition, and where its messages are.
 *
 * @param owner name of the host
 * @param incarnation incarnation of the host
 * @param epoch rises by one with each change
 * @param journals the journals that hold its messages, oldest first; the last is the owner's
 * @param trimmedTo messages below this offset were deleted on request; 0 if none were
 * @param released whether the owner has given the partition up, with all of its messages in sealed files: the next owner
 *     has nothing to fence
 */
public record OwnershipRecord(
        String owner,
        long incarnation,
        OwnerEpoch epoch,
        List<JournalReference> journals,
        long trimmedTo,
        boolean released) {

    public OwnershipRecord {
        journals = List.copyOf(journals);
    }

    /**
     * From {@code firstOffset} on, until the next reference, the messages are in the journal of this incarnation of this
     * host.
     *
     * @param totalBytes bytes of blocks ever stored in the partition before
     */
    public record JournalReference(String host, long incarnation, long firstOffset, long totalBytes) {}
}
