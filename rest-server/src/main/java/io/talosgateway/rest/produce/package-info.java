/**
 * Putting messages. Entry type {@link io.talosgateway.rest.produce.ProduceService}. Runs on the put pool, then on whatever
 * completes appends.
 */
@NullMarked
package io.talosgateway.rest.produce;

import org.jspecify.annotations.NullMarked;
