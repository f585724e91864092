/**
 * What names a request in logs and traces, on all hosts. Entry type {@link io.talosgateway.rest.trace.RequestTrace}. No threads.
 */
@NullMarked
package io.talosgateway.rest.trace;

import org.jspecify.annotations.NullMarked;
