package io.talosgateway.rest.http.talos;

import io.talosgateway.rest.auth.Operation;
import io.talosgateway.rest.auth.Principal;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.http.Exchange;
import io.talosgateway.rest.http.RequestClass;
import io.talosgateway.scheduler.Deadline;
import io.talosgateway.wire.message.ByteSlice;
import io.talosgateway.wire.thrift.NestingLimit;
import io.talosgateway.wire.thrift.ThriftFormat;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TProtocol;
import org.apache.thrift.protocol.TProtocolException;
import org.apache.thrift.transport.TTransportException;

/**
 * A call on its way to a method.
 *
 * @param principal who calls
 * @param operation what is called, for whoever asks whether the caller may
 * @param client which SDK calls
 * @param in positioned behind the message's header, at the arguments
 * @param body the whole request, of which payloads are slices
 */
record TalosCall(
        Exchange exchange,
        Principal principal,
        Operation operation,
        ClientKind client,
        ThriftFormat format,
        TProtocol in,
        String method,
        int sequenceId,
        ByteSlice body) {

    private static final int MAX_SEQUENCE_ID = 1024;

    /** The deadline of a call that changes something of topics, as which it counts from now on. */
    Deadline adminDeadline() {
        exchange.setRequestClass(RequestClass.ADMIN);
        return exchange.deadline();
    }

    /** Reads a part of a request. */
    @FunctionalInterface
    interface Decoding<T> {
        T decode() throws TException;
    }

    /**
     * What the bytes say.
     *
     * @throws GatewayException {@code MALFORMED_REQUEST} if they are not Thrift, or what the decoding itself throws
     */
    static <T> T decode(Decoding<T> decoding) {
        try {
            return decoding.decode();
        } catch (GatewayException e) {
            throw e;
        } catch (TTransportException e) {
            throw malformed("it ends before the call does");
        } catch (TException | RuntimeException e) {
            if (e instanceof TProtocolException refused && refused.getType() == TProtocolException.DEPTH_LIMIT) {
                throw malformed("it is nested more than " + NestingLimit.MAX_DEPTH + " levels deep");
            }
            // libthrift throws both at bytes that are not Thrift. What they say names its classes, or ours.
            throw malformed("its bytes are not of this protocol, or a field that is required is missing");
        }
    }

    /**
     * The sequence id of a put or get, which goes back with the reply.
     *
     * @throws GatewayException {@code MALFORMED_REQUEST} if it is not one
     */
    static String checkedSequenceId(String sequenceId) {
        if (sequenceId.length() > MAX_SEQUENCE_ID) {
            throw malformed(
                    "its sequenceId has " + sequenceId.length() + " characters; it may have " + MAX_SEQUENCE_ID);
        }
        return sequenceId;
    }

    static GatewayException malformed(String reason) {
        return new GatewayException(
                ErrorCode.MALFORMED_REQUEST,
                "The body is not a Thrift call that this gateway understands: " + reason + ".");
    }
}
