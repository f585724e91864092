/**
 * Handing requests to the hosts that own their partitions. Entry type {@link io.talosgateway.rest.forwarding.Forwarder};
 * {@link io.talosgateway.rest.forwarding.Handshake} is what hosts prove to each other. No threads.
 */
@NullMarked
package io.talosgateway.rest.forwarding;

import org.jspecify.annotations.NullMarked;
