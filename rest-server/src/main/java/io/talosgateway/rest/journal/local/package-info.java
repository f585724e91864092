/**
 * Journal files on a local disk, for a gateway that is the only one to use them. Entry type
 * {@link io.talosgateway.rest.journal.local.LocalJournalStorage}. No threads.
 */
@NullMarked
package io.talosgateway.rest.journal.local;

import org.jspecify.annotations.NullMarked;
