/**
 * Reading messages: the tail cache, pages of files, indexes of sealed files. Entry type {@link
 * io.talosgateway.rest.journal.read.JournalReader}.
 */
@NullMarked
package io.talosgateway.rest.journal.read;

import org.jspecify.annotations.NullMarked;
