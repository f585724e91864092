/** A server that answers at once, to measure what the load generator itself can do. */
@NullMarked
package io.talosgateway.loadgen.nullserver;

import org.jspecify.annotations.NullMarked;
