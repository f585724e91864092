package io.talosgateway.rest.http.talos;

import io.talosgateway.rest.auth.Principal;
import io.talosgateway.rest.http.Exchange;
import io.talosgateway.rest.message.ByteSlice;
import org.apache.thrift.protocol.TProtocol;

/**
 * A call on its way to a method.
 *
 * @param principal who calls
 * @param client which SDK calls
 * @param in positioned behind the message's header, at the arguments
 * @param body the whole request, of which payloads are slices
 */
record TalosCall(
        Exchange exchange,
        Principal principal,
        ClientKind client,
        ThriftFormat format,
        TProtocol in,
        String method,
        int sequenceId,
        ByteSlice body) {}
