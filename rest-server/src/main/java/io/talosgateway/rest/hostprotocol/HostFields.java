package io.talosgateway.rest.hostprotocol;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import io.talosgateway.rest.topic.TopicId;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.rest.trace.RequestTrace;
import io.talosgateway.rest.trace.TraceContext;
import io.talosgateway.rest.trace.TraceParent;
import io.talosgateway.scheduler.Priority;
import io.talosgateway.thrift.HostBlock;
import io.talosgateway.thrift.HostPartition;
import io.talosgateway.thrift.HostTrace;
import io.talosgateway.wire.message.ByteSlice;
import io.talosgateway.wire.message.MessageBlock;
import io.talosgateway.wire.message.format.SliceTransport;
import org.apache.thrift.TBase;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TField;
import org.apache.thrift.protocol.TList;
import org.apache.thrift.protocol.TProtocol;
import org.apache.thrift.protocol.TStruct;
import org.apache.thrift.protocol.TType;
import org.jspecify.annotations.Nullable;

/**
 * Parts that several calls have. The structs of puts and gets are written by hand, field by field as in
 * {@code host.thrift}, because the generated code would copy payloads; reading them does not.
 */
final class HostFields {

    private static final TStruct BLOCK = new TStruct("HostBlock");

    private HostFields() {}

    /** Where a block is stored; in gets only. */
    record Place(long startOffset, long appendTimestampMs) {}

    static HostPartition partition(TopicPartition partition) {
        return new HostPartition(
                partition.topic().mostSignificant(), partition.topic().leastSignificant(), partition.partition());
    }

    static TopicPartition partition(HostPartition partition) {
        return new TopicPartition(
                new TopicId(partition.getTopicMostSignificant(), partition.getTopicLeastSignificant()),
                partition.getPartition());
    }

    static String text(Priority.Importance importance) {
        return importance.name().toLowerCase(Locale.ROOT);
    }

    /** A class that this version does not know, from a newer host, is taken for the normal one. */
    static Priority.Importance importance(String text) {
        for (Priority.Importance importance : Priority.Importance.values()) {
            if (text(importance).equals(text)) {
                return importance;
            }
        }
        return Priority.Importance.NORMAL;
    }

    static void writeBlock(TProtocol out, MessageBlock block) throws TException {
        writeBlock(out, block, List.of());
    }

    static void writeBlock(TProtocol out, MessageBlock block, Place place) throws TException {
        writeBlock(out, block, List.of(place));
    }

    private static void writeBlock(TProtocol out, MessageBlock block, List<Place> place) throws TException {
        out.writeStructBegin(BLOCK);
        writeI32(out, 1, block.messageNumber());
        writeI32(out, 2, block.compression());
        writeBinary(out, 3, block.data());
        if (block.createTimestampMs() != MessageBlock.NO_TIMESTAMP) {
            writeI64(out, 4, block.createTimestampMs());
        }
        if (block.extraFields().length() > 0) {
            writeBinary(out, 5, block.extraFields());
        }
        for (Place at : place) {
            writeI64(out, 6, at.startOffset());
            writeI64(out, 7, at.appendTimestampMs());
        }
        out.writeFieldStop();
        out.writeStructEnd();
    }

    static MessageBlock block(HostBlock block) {
        return new MessageBlock(
                block.getMessageNumber(),
                block.getCompression(),
                ByteSlice.of(block.bufferForData()),
                block.isSetCreateTimestamp() ? block.getCreateTimestamp() : MessageBlock.NO_TIMESTAMP,
                block.isSetExtraFields() ? ByteSlice.of(block.bufferForExtraFields()) : ByteSlice.EMPTY);
    }

    /** @throws IllegalArgumentException if they are not what a host has checked: no block, or a block without messages */
    static List<MessageBlock> blocks(List<HostBlock> blocks) {
        List<MessageBlock> read = new ArrayList<>(blocks.size());
        for (HostBlock block : blocks) {
            if (block.getMessageNumber() < 1) {
                throw new IllegalArgumentException("a block of " + block.getMessageNumber() + " messages");
            }
            read.add(block(block));
        }
        if (read.isEmpty()) {
            throw new IllegalArgumentException("a put without messages");
        }
        return read;
    }

    static HostTrace trace(TraceContext trace) {
        TraceParent parent = trace.parent();
        return new HostTrace(trace.requestId())
                .setTraceparent(parent == null ? null : parent.text())
                .setTracestate(trace.state());
    }

    /** Of a host of an earlier release, null. Checked again: it goes into logs. */
    static @Nullable RequestTrace trace(@Nullable HostTrace trace) {
        if (trace == null) {
            return null;
        }
        String parent = trace.getTraceparent();
        String state = trace.getTracestate();
        return RequestTrace.named(TraceContext.of(
                trace.getRequestId(),
                parent == null ? List.of() : List.of(parent),
                state == null ? List.of() : List.of(state)));
    }

    // --- single fields ---

    static void writeI32(TProtocol out, int id, int value) throws TException {
        out.writeFieldBegin(new TField("", TType.I32, (short) id));
        out.writeI32(value);
        out.writeFieldEnd();
    }

    static void writeI64(TProtocol out, int id, long value) throws TException {
        out.writeFieldBegin(new TField("", TType.I64, (short) id));
        out.writeI64(value);
        out.writeFieldEnd();
    }

    static void writeBool(TProtocol out, int id, boolean value) throws TException {
        out.writeFieldBegin(new TField("", TType.BOOL, (short) id));
        out.writeBool(value);
        out.writeFieldEnd();
    }

    static void writeString(TProtocol out, int id, String value) throws TException {
        out.writeFieldBegin(new TField("", TType.STRING, (short) id));
        out.writeString(value);
        out.writeFieldEnd();
    }

    static void writeStruct(TProtocol out, int id, TBase<?, ?> value) throws TException {
        out.writeFieldBegin(new TField("", TType.STRUCT, (short) id));
        value.write(out);
        out.writeFieldEnd();
    }

    static void writeListOfStructs(TProtocol out, int id, int size) throws TException {
        out.writeFieldBegin(new TField("", TType.LIST, (short) id));
        out.writeListBegin(new TList(TType.STRUCT, size));
    }

    private static void writeBinary(TProtocol out, int id, ByteSlice value) throws TException {
        out.writeFieldBegin(new TField("", TType.STRING, (short) id));
        if (out.getTransport() instanceof SliceTransport transport) {
            transport.writeBinary(out, value);
        } else {
            out.writeBinary(value.toByteBuffer());
        }
        out.writeFieldEnd();
    }
}
