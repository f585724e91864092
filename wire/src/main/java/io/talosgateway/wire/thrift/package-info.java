/**
 * The Thrift protocols of the Talos interface. Entry type {@link io.talosgateway.wire.thrift.ThriftFormat}. Stateless; no
 * threads.
 */
@NullMarked
package io.talosgateway.wire.thrift;

import org.jspecify.annotations.NullMarked;
