/**
 * For those who run a gateway, on a port of its own: health, metrics and the console. Entry type
 * {@link io.talosgateway.rest.http.ops.OpsHandler}. Runs on threads of its own, so that it answers when the gateway is busy.
 */
@NullMarked
package io.talosgateway.rest.http.ops;

import org.jspecify.annotations.NullMarked;
