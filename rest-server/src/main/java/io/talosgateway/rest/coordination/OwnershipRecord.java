package io.talosgateway.rest.coordination;

import java.util.List;

import io.talosgateway.rest.topic.OwnerEpoch;
import org.jspecify.annotations.Nullable;

/**
 * Who owns a partition, where its messages are, and which offsets are settled. {@code startOffset} and {@code endOffset} never
 * fall from one record of a partition to the next.
 *
 * @param owner name of the host
 * @param incarnation incarnation of the host
 * @param epoch rises by one with each new owner
 * @param journals the journals that hold its messages, oldest first; the last is the owner's
 * @param startOffset messages below this offset are deleted, by retention or on request; their files may go
 * @param endOffset offset after the last message that was stored when this was written: exact at a take-over and once
 *     {@code released}; a partition that is served grows beyond it
 * @param totalBytes bytes of blocks ever stored up to {@code endOffset}
 * @param released whether the owner has given the partition up, with all of its messages in sealed files: the next owner
 *     has nothing to fence
 * @param lostBefore messages below that are in no file were in memory only when a power cut took them: they are not looked for
 * @param fencingToken which writer may put with its token; null if none ever had one
 */
public record OwnershipRecord(
        String owner,
        long incarnation,
        OwnerEpoch epoch,
        List<JournalReference> journals,
        long startOffset,
        long endOffset,
        long totalBytes,
        boolean released,
        long lostBefore,
        @Nullable String fencingToken) {

    public OwnershipRecord {
        journals = List.copyOf(journals);
    }

    /** Of a partition of which nothing was lost. */
    public OwnershipRecord(
            String owner,
            long incarnation,
            OwnerEpoch epoch,
            List<JournalReference> journals,
            long startOffset,
            long endOffset,
            long totalBytes,
            boolean released) {
        this(owner, incarnation, epoch, journals, startOffset, endOffset, totalBytes, released, 0, null);
    }

    /**
     * From {@code firstOffset} on, until the next reference, the messages are in the journal of this incarnation of this
     * host, which owned the partition in this epoch.
     *
     * @param epoch {@link OwnerEpoch#NONE} if an earlier version wrote the record
     * @param totalBytes bytes of blocks ever stored in the partition before
     */
    public record JournalReference(
            String host, long incarnation, OwnerEpoch epoch, long firstOffset, long totalBytes) {}

    /** The same owner's record, with messages below an offset deleted. */
    public OwnershipRecord withStart(long newStart, long bytesUpToStart) {
        return new OwnershipRecord(
                owner,
                incarnation,
                epoch,
                journals,
                Math.max(startOffset, newStart),
                Math.max(endOffset, newStart),
                Math.max(totalBytes, bytesUpToStart),
                released,
                lostBefore,
                fencingToken);
    }

    /** The same owner's record, once it has given the partition up. */
    public OwnershipRecord releasedAt(long end, long bytes) {
        return new OwnershipRecord(
                owner, incarnation, epoch, journals, startOffset, end, bytes, true, lostBefore, fencingToken);
    }

    /** The same owner's record, once a writer has taken the partition. */
    public OwnershipRecord withFencingToken(@Nullable String token) {
        return new OwnershipRecord(
                owner, incarnation, epoch, journals, startOffset, endOffset, totalBytes, released, lostBefore, token);
    }

    /** Whether another record is of the same owner, in the same epoch. */
    public boolean hasSameOwner(OwnershipRecord other) {
        return owner.equals(other.owner) && incarnation == other.incarnation && epoch.equals(other.epoch);
    }
}
