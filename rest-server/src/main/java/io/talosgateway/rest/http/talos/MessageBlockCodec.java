package io.talosgateway.rest.http.talos;

import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.wire.message.ByteSlice;
import io.talosgateway.wire.message.MessageBlock;
import io.talosgateway.wire.message.StoredBlock;
import io.talosgateway.wire.message.format.SliceTransport;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TField;
import org.apache.thrift.protocol.TProtocol;
import org.apache.thrift.protocol.TProtocolException;
import org.apache.thrift.protocol.TProtocolUtil;
import org.apache.thrift.protocol.TStruct;
import org.apache.thrift.protocol.TType;

/**
 * Reads and writes {@code MessageBlock} by hand: the payload stays a slice of the request, and fields that are not known,
 * or known to newer SDKs only, are kept, where the generated struct would copy the former and drop the latter.
 */
final class MessageBlockCodec {

    private static final TStruct STRUCT = new TStruct("MessageBlock");
    private static final TField START_OFFSET = new TField("startMessageOffset", TType.I64, (short) 1);
    private static final TField MESSAGE_NUMBER = new TField("messageNumber", TType.I32, (short) 2);
    private static final TField COMPRESSION = new TField("compressionType", TType.I32, (short) 3);
    private static final TField DATA = new TField("messageBlock", TType.STRING, (short) 4);
    private static final TField SIZE = new TField("messageBlockSize", TType.I32, (short) 5);
    private static final TField APPEND_TIMESTAMP = new TField("appendTimestamp", TType.I64, (short) 6);
    private static final TField CREATE_TIMESTAMP = new TField("createTimestamp", TType.I64, (short) 7);
    private static final short TRANSACTION_ID = 9;
    private static final int NOT_SET = Integer.MIN_VALUE;
    private static final int HIGHEST_COMPRESSION = 4;

    private MessageBlockCodec() {}

    /**
     * Reads a block that a client puts.
     *
     * @throws TProtocolException if a required field is missing
     * @throws GatewayException {@code INVALID_MESSAGE} if the fields contradict each other
     */
    static MessageBlock read(TProtocol in) throws TException {
        return read(in, false);
    }

    /** The same of a block that is prepared: which transaction it is of is the gateway's to say. */
    static MessageBlock readPrepared(TProtocol in) throws TException {
        return read(in, true);
    }

    private static MessageBlock read(TProtocol in, boolean isPrepared) throws TException {
        int messageNumber = NOT_SET;
        int compression = NOT_SET;
        int size = NOT_SET;
        ByteSlice data = null;
        long createTimestampMs = MessageBlock.NO_TIMESTAMP;
        ThriftFields.Collector extra = new ThriftFields.Collector();
        in.readStructBegin();
        for (TField field = in.readFieldBegin(); field.type != TType.STOP; field = in.readFieldBegin()) {
            if (matches(field, MESSAGE_NUMBER)) {
                messageNumber = in.readI32();
            } else if (matches(field, COMPRESSION)) {
                compression = in.readI32();
            } else if (matches(field, DATA)) {
                data = ByteSlice.of(in.readBinary());
            } else if (matches(field, SIZE)) {
                size = in.readI32();
            } else if (matches(field, CREATE_TIMESTAMP)) {
                createTimestampMs = in.readI64();
            } else if (field.id == START_OFFSET.id
                    || field.id == APPEND_TIMESTAMP.id
                    || (isPrepared && field.id == TRANSACTION_ID)) {
                TProtocolUtil.skip(in, field.type); // the gateway's to set
            } else {
                extra.add(field, in);
            }
            in.readFieldEnd();
        }
        in.readStructEnd();
        if (messageNumber == NOT_SET || compression == NOT_SET || data == null) {
            throw new TProtocolException(
                    TProtocolException.INVALID_DATA,
                    "a message block needs messageNumber, compressionType and messageBlock");
        }
        check(messageNumber > 0, "A message block must hold at least one message, not " + messageNumber + ".");
        check(data.length() > 0, "A message block must hold bytes.");
        check(
                size == NOT_SET || size == data.length(),
                "A message block has " + data.length() + " bytes, but its messageBlockSize says " + size + ".");
        check(
                compression >= 0 && compression <= HIGHEST_COMPRESSION,
                "The compression type " + compression + " does not exist; no client could read the messages.");
        return new MessageBlock(messageNumber, compression, data, createTimestampMs, extra.finish());
    }

    private static boolean matches(TField field, TField expected) {
        return field.id == expected.id && field.type == expected.type;
    }

    private static void check(boolean holds, String otherwise) {
        if (!holds) {
            throw new GatewayException(ErrorCode.INVALID_MESSAGE, otherwise);
        }
    }

    /** Writes a block that a client gets; a {@link SliceTransport} behind {@code out} refers to its payload. */
    static void write(TProtocol out, StoredBlock stored) throws TException {
        MessageBlock block = stored.block();
        out.writeStructBegin(STRUCT);
        writeI64(out, START_OFFSET, stored.startOffset());
        writeI32(out, MESSAGE_NUMBER, block.messageNumber());
        writeI32(out, COMPRESSION, block.compression());
        out.writeFieldBegin(DATA);
        if (out.getTransport() instanceof SliceTransport transport) {
            transport.writeBinary(out, block.data());
        } else {
            out.writeBinary(block.data().toByteBufferWithoutArrayOffset());
        }
        out.writeFieldEnd();
        writeI32(out, SIZE, block.data().length());
        writeI64(out, APPEND_TIMESTAMP, stored.appendTimestampMs());
        if (block.createTimestampMs() != MessageBlock.NO_TIMESTAMP) {
            writeI64(out, CREATE_TIMESTAMP, block.createTimestampMs());
        }
        ThriftFields.write(block.extraFields(), out);
        out.writeFieldStop();
        out.writeStructEnd();
    }

    static void writeI32(TProtocol out, TField field, int value) throws TException {
        out.writeFieldBegin(field);
        out.writeI32(value);
        out.writeFieldEnd();
    }

    static void writeI64(TProtocol out, TField field, long value) throws TException {
        out.writeFieldBegin(field);
        out.writeI64(value);
        out.writeFieldEnd();
    }
}
