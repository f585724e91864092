/** Programs of the project, started as processes and watched. */
@NullMarked
package io.talosgateway.benchmarks.process;

import org.jspecify.annotations.NullMarked;
