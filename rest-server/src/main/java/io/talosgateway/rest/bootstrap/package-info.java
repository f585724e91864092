/**
 * Makes a gateway of its parts: configuration, wiring, start and shutdown. Entry type
 * {@link io.talosgateway.rest.bootstrap.Gateway}; {@link io.talosgateway.rest.bootstrap.GatewayWiring} is the map of the
 * program. Imports everything and is imported by nobody here.
 */
@NullMarked
package io.talosgateway.rest.bootstrap;

import org.jspecify.annotations.NullMarked;
