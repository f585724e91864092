/** Requests of producers and readers over each of the interfaces. Entry type {@link Requests}. */
@NullMarked
package io.talosgateway.loadgen.request;

import org.jspecify.annotations.NullMarked;
