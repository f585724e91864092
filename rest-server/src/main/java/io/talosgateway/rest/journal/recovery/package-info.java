/**
 * What is there: taking over journals that somebody else has written, the history of partitions, and deleting what nobody
 * needs any more. Entry type {@link io.talosgateway.rest.journal.recovery.JournalArchive}.
 */
@NullMarked
package io.talosgateway.rest.journal.recovery;

import org.jspecify.annotations.NullMarked;
