/**
 * Thrift calls without generated service classes: {@link io.talosgateway.thrift.call.ThriftMethod} knows what a method's
 * call and reply carry, {@link io.talosgateway.thrift.call.ThriftService} which methods a service has and under which
 * path it answers, and {@link io.talosgateway.thrift.call.ThriftEnvelope} reads and writes the envelope around them.
 *
 * <p>Nothing here blocks, starts a thread or keeps state: every class is immutable or all-static, and safe for use by any
 * thread. A {@code TProtocol} passed in belongs to its caller.
 */
@NullMarked
package io.talosgateway.thrift.call;

import org.jspecify.annotations.NullMarked;
