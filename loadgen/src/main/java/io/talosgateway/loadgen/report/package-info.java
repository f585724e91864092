/** What comes of a run, {@link Report}: text, page, files, and comparisons. */
@NullMarked
package io.talosgateway.loadgen.report;

import org.jspecify.annotations.NullMarked;
