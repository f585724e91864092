/**
 * What is inside a message block: compression and the serializations of the Talos SDKs. Needed by clients, and
 * where the gateway itself makes or opens blocks: the REST interface, and gets by clients that cannot read what newer
 * clients wrote. The gateway's path of a put or get over Thrift does not come here.
 *
 * <p>Entry types: {@link io.talosgateway.wire.message.format.MessageEncoder} and
 * {@link io.talosgateway.wire.message.format.MessageDecoder}. The types of Thrift and of the compression libraries do not
 * leave this package. Stateless; no threads.
 */
@NullMarked
package io.talosgateway.wire.message.format;

import org.jspecify.annotations.NullMarked;
