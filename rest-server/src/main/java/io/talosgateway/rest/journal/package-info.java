/**
 * Durable storage of messages: append streams ("lanes") that many partitions share, with group commit; an index of every
 * journal file; caches; recovery and retention. The format is drawn in {@code docs/journal-format.md}, the reasons are in
 * the design.
 *
 * <p>Entry types: {@link io.talosgateway.rest.journal.Journal}, what this incarnation writes;
 * {@link io.talosgateway.rest.journal.PartitionLog}, one partition's view of it; and
 * {@link io.talosgateway.rest.journal.JournalArchive}, the files of all incarnations. The port to a file system is
 * {@link io.talosgateway.rest.journal.JournalStorage}.
 *
 * <p>Threads that run here: one committer a lane, one sealer a journal. Reads run on the caller's thread and may block for
 * storage. Completions of appends run on the executor given to the journal, never on a committer.
 */
@NullMarked
package io.talosgateway.rest.journal;

import org.jspecify.annotations.NullMarked;
