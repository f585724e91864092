package io.talosgateway.rest.http.talos;

import io.talosgateway.wire.message.ByteSlice;
import org.apache.thrift.TConfiguration;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TCompactProtocol;
import org.apache.thrift.protocol.TField;
import org.apache.thrift.protocol.TList;
import org.apache.thrift.protocol.TMap;
import org.apache.thrift.protocol.TProtocol;
import org.apache.thrift.protocol.TProtocolException;
import org.apache.thrift.protocol.TSet;
import org.apache.thrift.protocol.TStruct;
import org.apache.thrift.protocol.TType;
import org.apache.thrift.transport.TMemoryBuffer;
import org.apache.thrift.transport.TMemoryInputTransport;
import org.jspecify.annotations.Nullable;

/**
 * Fields that nobody here interprets, carried from one protocol to another: a client may put what only another client
 * understands. Kept in the compact protocol, with a stop at the end.
 */
final class ThriftFields {

    private static final TStruct STRUCT = new TStruct("");
    private static final int MAX_DEPTH = 16;

    private ThriftFields() {}

    /** Gathers fields of one struct; for one thread. */
    static final class Collector {

        private @Nullable TMemoryBuffer buffer;
        private @Nullable TCompactProtocol out;

        /** Takes the value that {@code in} is positioned at. */
        void add(TField field, TProtocol in) throws TException {
            TCompactProtocol protocol = out;
            if (protocol == null) {
                TMemoryBuffer memory = new TMemoryBuffer(64);
                protocol = new TCompactProtocol(memory);
                protocol.writeStructBegin(STRUCT);
                buffer = memory;
                out = protocol;
            }
            protocol.writeFieldBegin(field);
            copy(field.type, in, protocol, MAX_DEPTH);
            protocol.writeFieldEnd();
        }

        /** The fields; empty if there were none. */
        ByteSlice finish() throws TException {
            TMemoryBuffer memory = buffer;
            TCompactProtocol protocol = out;
            if (memory == null || protocol == null) {
                return ByteSlice.EMPTY;
            }
            protocol.writeFieldStop();
            protocol.writeStructEnd();
            return new ByteSlice(memory.getArray(), 0, memory.length());
        }
    }

    /** Writes the fields inside the struct that {@code out} is writing. */
    static void write(ByteSlice fields, TProtocol out) throws TException {
        if (fields.length() == 0) {
            return;
        }
        TProtocol in = new TCompactProtocol(
                new TMemoryInputTransport(new TConfiguration(), fields.array(), fields.offset(), fields.length()));
        in.readStructBegin();
        for (TField field = in.readFieldBegin(); field.type != TType.STOP; field = in.readFieldBegin()) {
            out.writeFieldBegin(field);
            copy(field.type, in, out, MAX_DEPTH);
            out.writeFieldEnd();
            in.readFieldEnd();
        }
        in.readStructEnd();
    }

    private static void copy(byte type, TProtocol in, TProtocol out, int depth) throws TException {
        if (depth == 0) {
            throw new TProtocolException(TProtocolException.DEPTH_LIMIT, "an unknown field is nested too deeply");
        }
        switch (type) {
            case TType.BOOL -> out.writeBool(in.readBool());
            case TType.BYTE -> out.writeByte(in.readByte());
            case TType.I16 -> out.writeI16(in.readI16());
            case TType.I32 -> out.writeI32(in.readI32());
            case TType.I64 -> out.writeI64(in.readI64());
            case TType.DOUBLE -> out.writeDouble(in.readDouble());
            case TType.UUID -> out.writeUuid(in.readUuid());
            case TType.STRING -> out.writeBinary(in.readBinary());
            case TType.STRUCT -> copyStruct(in, out, depth - 1);
            case TType.LIST -> {
                TList list = in.readListBegin();
                out.writeListBegin(new TList(typeOf(list.elemType, list.size), list.size));
                copyAll(list.elemType, list.size, in, out, depth - 1);
                in.readListEnd();
                out.writeListEnd();
            }
            case TType.SET -> {
                TSet set = in.readSetBegin();
                out.writeSetBegin(new TSet(typeOf(set.elemType, set.size), set.size));
                copyAll(set.elemType, set.size, in, out, depth - 1);
                in.readSetEnd();
                out.writeSetEnd();
            }
            case TType.MAP -> {
                TMap map = in.readMapBegin();
                out.writeMapBegin(new TMap(typeOf(map.keyType, map.size), typeOf(map.valueType, map.size), map.size));
                for (int entry = 0; entry < map.size; entry++) {
                    copy(map.keyType, in, out, depth - 1);
                    copy(map.valueType, in, out, depth - 1);
                }
                in.readMapEnd();
                out.writeMapEnd();
            }
            default -> throw new TProtocolException(TProtocolException.INVALID_DATA, "unknown Thrift type " + type);
        }
    }

    /** The compact protocol does not say what an empty map has none of, and the JSON protocol must write something. */
    private static byte typeOf(byte type, int size) {
        return size == 0 ? TType.BYTE : type;
    }

    private static void copyAll(byte type, int size, TProtocol in, TProtocol out, int depth) throws TException {
        for (int element = 0; element < size; element++) {
            copy(type, in, out, depth);
        }
    }

    private static void copyStruct(TProtocol in, TProtocol out, int depth) throws TException {
        in.readStructBegin();
        out.writeStructBegin(STRUCT);
        for (TField field = in.readFieldBegin(); field.type != TType.STOP; field = in.readFieldBegin()) {
            out.writeFieldBegin(field);
            copy(field.type, in, out, depth);
            in.readFieldEnd();
            out.writeFieldEnd();
        }
        in.readStructEnd();
        out.writeFieldStop();
        out.writeStructEnd();
    }
}
