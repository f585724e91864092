package io.talosgateway.rest.hostprotocol;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

import io.talosgateway.thrift.call.ThriftEnvelope;
import io.talosgateway.wire.message.ByteSlice;
import io.talosgateway.wire.message.format.SliceTransport;
import io.talosgateway.wire.thrift.NestingLimit;
import org.apache.thrift.TConfiguration;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TCompactProtocol;
import org.apache.thrift.protocol.TProtocol;
import org.apache.thrift.transport.TMemoryInputTransport;
import org.apache.thrift.transport.TTransportException;

/**
 * One message between hosts: four bytes of length, big-endian, then as many bytes in the Thrift compact protocol. Payloads
 * are referred to, not copied. Immutable.
 *
 * @param slices everything, the length included, in order
 * @param length bytes behind the length
 */
public record HostFrame(List<ByteSlice> slices, int length) {

    public static final int LENGTH_BYTES = 4;

    /** Enough for a handshake; who has not proved gets no memory for more. */
    public static final int MAX_HANDSHAKE_BYTES = 4096;

    private static final int RECURSION_LIMIT = 64;

    /** A frame with what {@code writer} writes. */
    public static HostFrame of(ThriftEnvelope.StructWriter writer) throws TException {
        SliceTransport transport = new SliceTransport();
        writer.write(new TCompactProtocol(transport));
        List<ByteSlice> slices = new ArrayList<>();
        slices.add(ByteSlice.EMPTY); // the length, once it is known
        slices.addAll(transport.slices());
        long length = slices.stream().mapToLong(ByteSlice::length).sum();
        if (length > Integer.MAX_VALUE) {
            throw new TTransportException("a frame of " + length + " bytes cannot be sent");
        }
        slices.set(
                0,
                new ByteSlice(
                        ByteBuffer.allocate(LENGTH_BYTES).putInt((int) length).array()));
        return new HostFrame(List.copyOf(slices), (int) length);
    }

    /** Reads what is behind the length of a frame; binary values are slices of it. */
    public static TProtocol reading(ByteSlice body) throws TTransportException {
        // No length in the message can exceed the message: a lie is found before memory is taken for it.
        int limit = Math.max(1, body.length());
        TConfiguration limits = new TConfiguration(limit, limit, RECURSION_LIMIT);
        return new NestingLimit(new TCompactProtocol(
                new TMemoryInputTransport(limits, body.array(), body.offset(), body.length()), limit, limit));
    }
}
