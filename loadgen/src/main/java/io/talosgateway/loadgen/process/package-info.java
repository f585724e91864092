/** Programs of the project, started as processes and watched. */
@NullMarked
package io.talosgateway.loadgen.process;

import org.jspecify.annotations.NullMarked;
