/**
 * Forwarding over Thrift: the calls of {@code host.thrift}, framed, on connections that one thread serves for all hosts
 * without ever blocking. Entry type {@link io.talosgateway.rest.forwarding.thrift.ThriftForwarder}. Runs on the thread {@code forward}; see {@code docs/decisions}.
 */
@NullMarked
package io.talosgateway.rest.forwarding.thrift;

import org.jspecify.annotations.NullMarked;
