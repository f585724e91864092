package io.talosgateway.rest.journal.file;

/**
 * Messages of a partition in one file.
 *
 * @param endOffset offset after the last; {@link #OPEN} while the file is written
 */
public record FileRange(JournalFile file, long firstOffset, long endOffset) {

    public static final long OPEN = Long.MAX_VALUE;
}
