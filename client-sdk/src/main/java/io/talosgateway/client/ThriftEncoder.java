package io.talosgateway.client;

import io.talosgateway.thrift.call.ThriftMethod;
import io.talosgateway.thrift.call.ThriftService;
import io.talosgateway.wire.auth.GalaxySignature;
import io.talosgateway.wire.auth.RequestSigner;
import io.talosgateway.wire.message.ByteSlice;
import io.talosgateway.wire.thrift.ThriftFormat;
import org.apache.thrift.TException;
import org.apache.thrift.transport.TMemoryBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Encodes calls of the Thrift interface.
 *
 * @param signer null for a client without a key
 */
record ThriftEncoder(ThriftFormat format, @Nullable RequestSigner signer) {

    /** The SDKs number every call so. */
    private static final int SEQUENCE_ID = 1;

    /**
     * Encodes a call.
     *
     * @param sizeHint about how many bytes it will have
     * @throws IllegalArgumentException if the argument lacks something
     */
    <A, R> ThriftCall<R> call(
            ThriftService service, ThriftMethod<A, R> method, A argument, int sizeHint, Retry withoutAnswer) {
        try {
            TMemoryBuffer buffer = new TMemoryBuffer(sizeHint);
            method.writeCall(format.writing(buffer), SEQUENCE_ID, argument);
            ByteSlice body = new ByteSlice(buffer.getArray(), 0, buffer.length());
            return new ThriftCall<>(this, service, method, body, GalaxySignature.md5(body), null, withoutAnswer);
        } catch (TException e) {
            throw new IllegalArgumentException("this is no " + method + " request: " + e.getMessage(), e);
        }
    }
}
