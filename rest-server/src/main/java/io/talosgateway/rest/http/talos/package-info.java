/**
 * The interface of the Talos SDKs: one Thrift call a POST, dispatched by the method name inside the Thrift message. Entry
 * type {@link io.talosgateway.rest.http.talos.TalosHandler}. What a method does is in the classes named {@code ...Calls};
 * payloads pass through as slices ({@link io.talosgateway.rest.http.talos.MessageBlockCodec}).
 *
 * <p>Runs on Jetty's threads and on whatever completes a use case. Nothing blocks.
 */
@NullMarked
package io.talosgateway.rest.http.talos;

import org.jspecify.annotations.NullMarked;
