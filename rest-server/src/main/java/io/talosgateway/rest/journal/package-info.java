/**
 * Durable storage of messages: append streams ("lanes") that many partitions share, with group commit; an index of every
 * journal file; caches; recovery and retention. The format is drawn in {@code docs/journal-format.md}, the parts in
 * {@code docs/architecture.md}.
 *
 * <p>Five rooms, each of which knows those before it, and all of them this package: {@code file} (formats, one file at a time),
 * {@code read} (caches and reading), {@code recovery} (what others have written; retention), {@code lane} (writing in groups),
 * {@code log} (what the rest of the gateway uses: {@link io.talosgateway.rest.journal.log.Journal}, what this incarnation writes, and
 * {@link io.talosgateway.rest.journal.log.PartitionLog}, one partition's view of it). The port to a file system is
 * {@link io.talosgateway.rest.journal.JournalStorage}, its adapters {@code hdfs} and {@code local}.
 *
 * <p>Threads that run here: one committer a lane, one sealer a journal. Reads run on the caller's thread and may block for
 * storage. Completions of appends run on the executor given to the journal, never on a committer.
 */
@NullMarked
package io.talosgateway.rest.journal;

import org.jspecify.annotations.NullMarked;
