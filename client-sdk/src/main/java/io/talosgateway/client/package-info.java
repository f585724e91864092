/**
 * Java client of a Talos Gateway. Entry type {@link io.talosgateway.client.GatewayClient}: asynchronous, on the JDK's HTTP
 * client, over the gateway's JSON interface. Callbacks run on the JDK client's threads; they must not block.
 */
@NullMarked
package io.talosgateway.client;

import org.jspecify.annotations.NullMarked;
