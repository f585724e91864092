/** What choosing threads by load, rather than by hash, changes: the scheduler alone, under a given load. */
@NullMarked
package io.talosgateway.benchmarks.selection;

import org.jspecify.annotations.NullMarked;
