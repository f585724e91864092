/**
 * What puts carry: sizes, formats, compression. Entry type {@link Content}; {@link Bodies} are made before the load
 * begins.
 */
@NullMarked
package io.talosgateway.loadgen.content;

import org.jspecify.annotations.NullMarked;
