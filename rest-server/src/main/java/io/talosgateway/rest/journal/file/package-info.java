/**
 * The files of a journal and their formats ({@code docs/journal-format.md}): frames, footers, index files, manifests;
 * writing and ending one file. Knows nothing of who writes which puts, or who asks for them.
 */
@NullMarked
package io.talosgateway.rest.journal.file;

import org.jspecify.annotations.NullMarked;
