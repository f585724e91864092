package io.talosgateway.rest.journal;

/**
 * Part of a partition's history: from {@code firstOffset} on, until the next span, its messages are in this journal.
 *
 * @param totalBytes bytes of blocks ever stored in the partition before
 */
public record JournalSpan(JournalId journal, long firstOffset, long totalBytes) {}
