/** Several processes that put load as one: each makes a run and tells the first, whose {@link ProcessGroup} adds up. */
@NullMarked
package io.talosgateway.loadgen.group;

import org.jspecify.annotations.NullMarked;
