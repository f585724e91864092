/**
 * Handing requests to the hosts that own their partitions. Entry type {@link io.talosgateway.rest.forwarding.Forwarder}.
 * No threads.
 */
@NullMarked
package io.talosgateway.rest.forwarding;

import org.jspecify.annotations.NullMarked;
