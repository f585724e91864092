/** Servers that experiments start as processes of their own; they end with whoever started them. */
@NullMarked
package io.talosgateway.benchmarks.server;

import org.jspecify.annotations.NullMarked;
