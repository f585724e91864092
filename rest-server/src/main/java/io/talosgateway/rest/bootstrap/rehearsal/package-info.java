/**
 * The clients of a gateway that warms up. Entry type {@link io.talosgateway.rest.bootstrap.rehearsal.RehearsalClient}. Imports keys and the
 * wire formats; is imported by {@code bootstrap} only.
 */
@NullMarked
package io.talosgateway.rest.bootstrap.rehearsal;

import org.jspecify.annotations.NullMarked;
