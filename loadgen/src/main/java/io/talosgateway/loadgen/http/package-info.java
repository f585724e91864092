/**
 * Connections to a gateway, plain and over TLS, and what comes back on them. Entry types {@link Connection}, blocking, and
 * {@link Wire}, which is not.
 */
@NullMarked
package io.talosgateway.loadgen.http;

import org.jspecify.annotations.NullMarked;
