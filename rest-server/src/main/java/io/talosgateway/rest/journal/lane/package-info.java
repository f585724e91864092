/**
 * Writing: lanes take puts, commit them in groups, and go on to another file when one is full or fails. A lane knows a
 * partition as {@link io.talosgateway.rest.journal.lane.LanePartition}. Entry type {@link
 * io.talosgateway.rest.journal.lane.Lane}.
 */
@NullMarked
package io.talosgateway.rest.journal.lane;

import org.jspecify.annotations.NullMarked;
