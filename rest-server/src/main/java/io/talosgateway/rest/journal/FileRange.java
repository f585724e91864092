package io.talosgateway.rest.journal;

/**
 * Messages of a partition in one file.
 *
 * @param endOffset offset after the last; {@link #OPEN} while the file is written
 */
record FileRange(JournalFile file, long firstOffset, long endOffset) {

    static final long OPEN = Long.MAX_VALUE;
}
