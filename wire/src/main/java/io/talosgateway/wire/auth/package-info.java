/**
 * The signature of the Talos SDKs, as clients make it and the gateway checks it. Entry type
 * {@link io.talosgateway.wire.auth.GalaxySignature}. Stateless; no threads.
 */
@NullMarked
package io.talosgateway.wire.auth;

import org.jspecify.annotations.NullMarked;
