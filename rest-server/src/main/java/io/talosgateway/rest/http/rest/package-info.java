/**
 * The JSON interface, for curl and any HTTP library. {@code openapi.yaml} describes it and is served with it; a test holds
 * the two together. Entry type {@link io.talosgateway.rest.http.rest.RestHandler}; the operations are in the classes named
 * {@code ...Operations}.
 *
 * <p>Runs on Jetty's threads and on whatever completes a use case. Nothing blocks.
 */
@NullMarked
package io.talosgateway.rest.http.rest;

import org.jspecify.annotations.NullMarked;
