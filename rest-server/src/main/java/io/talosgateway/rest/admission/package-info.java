/**
 * Whether to start work at all: bytes and requests in flight, shutting down; and what can be seen of the pools that work
 * runs on. Entry type {@link io.talosgateway.rest.admission.AdmissionController}. No threads.
 */
@NullMarked
package io.talosgateway.rest.admission;

import org.jspecify.annotations.NullMarked;
