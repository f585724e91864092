/** Comparisons and micro-benchmarks. */
@NullMarked
package io.talosgateway.benchmarks;

import org.jspecify.annotations.NullMarked;
