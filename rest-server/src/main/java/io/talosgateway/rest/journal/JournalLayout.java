package io.talosgateway.rest.journal;

/** What shares a journal file. */
public enum JournalLayout {
    /** Many partitions share a few lanes, whose committers write whatever has queued up as one group. */
    SHARED_LANES,
    /** Each partition has files of its own, written and synced by the thread that appends: for comparison. */
    FILE_PER_PARTITION
}
