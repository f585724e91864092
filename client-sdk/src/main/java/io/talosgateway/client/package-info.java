/**
 * Java clients of a Talos Gateway, asynchronous, on the JDK's HTTP client: {@link io.talosgateway.client.GatewayClient}
 * over the JSON interface, {@link io.talosgateway.client.ThriftClient} over the one of the Talos SDKs, and what is common to
 * both, {@link io.talosgateway.client.TalosClient}. Callbacks run on the JDK client's threads; they must not block. The
 * types of Thrift, and of {@code io.talosgateway.wire}, are not public here.
 */
@NullMarked
package io.talosgateway.client;

import org.jspecify.annotations.NullMarked;
