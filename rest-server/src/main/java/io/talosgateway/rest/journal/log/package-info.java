/**
 * The journal of this incarnation and the logs of its partitions, which bring writing and reading together. Entry types
 * {@link io.talosgateway.rest.journal.log.Journal} and {@link io.talosgateway.rest.journal.log.PartitionLog}.
 */
@NullMarked
package io.talosgateway.rest.journal.log;

import org.jspecify.annotations.NullMarked;
