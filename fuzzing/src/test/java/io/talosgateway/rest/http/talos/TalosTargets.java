package io.talosgateway.rest.http.talos;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

import io.talosgateway.fuzz.FuzzTarget;
import io.talosgateway.fuzz.RandomStructs;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.message.MessageLimits;
import io.talosgateway.thrift.call.MessageMethods;
import io.talosgateway.thrift.call.ThriftEnvelope;
import io.talosgateway.thrift.call.ThriftMethod;
import io.talosgateway.thrift.call.ThriftService;
import io.talosgateway.wire.message.ByteSlice;
import io.talosgateway.wire.message.MessageBlock;
import io.talosgateway.wire.message.StoredBlock;
import io.talosgateway.wire.message.format.SliceTransport;
import io.talosgateway.wire.thrift.ThriftFormat;
import org.apache.thrift.TBase;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TField;
import org.apache.thrift.protocol.TMap;
import org.apache.thrift.protocol.TMessage;
import org.apache.thrift.protocol.TMessageType;
import org.apache.thrift.protocol.TProtocol;
import org.apache.thrift.protocol.TStruct;
import org.apache.thrift.protocol.TType;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;

/** Calls of the Talos interface, in each protocol. */
public final class TalosTargets {

    private static final Set<ErrorCode> REFUSALS =
            Set.of(ErrorCode.MALFORMED_REQUEST, ErrorCode.REQUEST_TOO_LARGE, ErrorCode.INVALID_MESSAGE);

    private static final String PUT = MessageMethods.PUT_MESSAGE.name();

    private TalosTargets() {}

    private record Call(ThriftMethod<?, ?> method, @Nullable Object argument) {}

    public static List<FuzzTarget<?>> all() {
        List<FuzzTarget<?>> targets = new ArrayList<>();
        for (ThriftFormat format : ThriftFormat.values()) {
            String name = format.name().toLowerCase(Locale.ROOT);
            targets.add(FuzzTarget.of("thrift-call-" + name, calls(format), input -> call(format, input))
                    .checked(call -> checkCall(format, call)));
            targets.add(FuzzTarget.of("thrift-put-" + name, puts(format), input -> put(format, input))
                    .checked(TalosTargets::checkPut));
        }
        return targets;
    }

    private static TProtocol reading(ThriftFormat format, ByteSlice body) throws TException {
        return new BoundedProtocol(format.reading(body), TalosHandler.MAX_ELEMENTS);
    }

    /** As {@link TalosHandler} reads a call. */
    private static <T> @Nullable T decoded(TalosCall.Decoding<T> decoding) {
        try {
            return TalosCall.decode(decoding);
        } catch (GatewayException e) {
            assertThat(e.code()).isIn(REFUSALS);
            return null;
        }
    }

    // --- Calls with generated structs ---

    private static @Nullable Call call(ThriftFormat format, byte[] input) {
        return decoded(() -> {
            TProtocol in = reading(format, new ByteSlice(input));
            TMessage message = in.readMessageBegin();
            for (ThriftService service : ThriftService.values()) {
                ThriftMethod<?, ?> method = service.method(message.name);
                if (method != null && message.type == TMessageType.CALL) {
                    return new Call(method, method.readArguments(in));
                }
            }
            throw TalosCall.malformed("the method is unknown");
        });
    }

    private static void checkCall(ThriftFormat format, Call call) throws Exception {
        Object argument = call.argument();
        if (argument == null) {
            return;
        }
        for (ThriftFormat other : ThriftFormat.values()) {
            byte[] bytes = written(other, call.method(), (TBase<?, ?>) argument);
            Object again = call(other, bytes).argument();
            if (!argument.equals(again)) {
                assertThat(again.toString()).as("as %s, from %s", other, format).isEqualTo(argument.toString());
            }
        }
    }

    private static List<byte[]> calls(ThriftFormat format) {
        List<byte[]> seeds = new ArrayList<>();
        RandomStructs structs = new RandomStructs(7);
        for (ThriftService service : ThriftService.values()) {
            for (ThriftMethod<?, ?> method : service.methods()) {
                Object argument = method.newArgument();
                for (int one = 0; one < (argument == null ? 1 : 2); one++) {
                    seeds.add(written(
                            format,
                            method,
                            argument == null ? null : structs.filled((TBase<?, ?>) method.newArgument())));
                }
            }
        }
        return seeds;
    }

    private static byte[] written(ThriftFormat format, ThriftMethod<?, ?> method, @Nullable TBase<?, ?> argument) {
        return written(
                format,
                out -> ThriftEnvelope.writeCall(
                        out, method.name(), 1, method.argumentName(), argument == null ? null : argument::write));
    }

    private static byte[] written(ThriftFormat format, ThriftEnvelope.StructWriter writer) {
        try {
            SliceTransport transport = new SliceTransport();
            writer.write(format.writing(transport));
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            transport.slices().forEach(slice -> bytes.write(slice.array(), slice.offset(), slice.length()));
            return bytes.toByteArray();
        } catch (TException e) {
            throw new AssertionError("what was read cannot be written as " + format, e);
        }
    }

    // --- Puts, by hand ---

    private static PutMessageCodec.@Nullable Put put(ThriftFormat format, byte[] input) {
        return decoded(() -> {
            TProtocol in = reading(format, new ByteSlice(input));
            in.readMessageBegin();
            return ThriftEnvelope.readArguments(in, argument -> PutMessageCodec.read(argument, MessageLimits.DEFAULT));
        });
    }

    /** Every client gets every block, whatever the protocols of the putter and of the client; it is the block that was put. */
    private static void checkPut(PutMessageCodec.Put put) throws Exception {
        for (ThriftFormat format : ThriftFormat.values()) {
            for (MessageBlock block : put.batch().blocks()) {
                byte[] written = written(format, out -> MessageBlockCodec.write(out, new StoredBlock(41, 42, block)));
                MessageBlock again = MessageBlockCodec.read(format.reading(new ByteSlice(written)));
                assertThat(again.messageNumber()).isEqualTo(block.messageNumber());
                assertThat(again.compression()).isEqualTo(block.compression());
                assertThat(again.createTimestampMs()).isEqualTo(block.createTimestampMs());
                assertThat(again.data().equals(block.data()))
                        .as("data by %s", format)
                        .isTrue();
                assertThat(again.extraFields()).as("extra fields by %s", format).isEqualTo(block.extraFields());
            }
        }
    }

    private static List<byte[]> puts(ThriftFormat format) {
        List<byte[]> seeds = new ArrayList<>();
        for (int kind = 0; kind < 4; kind++) {
            int blocks = kind == 3 ? 3 : 1;
            boolean extra = kind > 0;
            seeds.add(written(
                    format,
                    out -> ThriftEnvelope.writeCall(out, PUT, 1, "request", to -> writePut(to, blocks, extra))));
        }
        return seeds;
    }

    private static void writePut(TProtocol out, int blocks, boolean extra) throws TException {
        RandomStructs structs = new RandomStructs(blocks);
        out.writeStructBegin(new TStruct("PutMessageRequest"));
        out.writeFieldBegin(new TField("topicAndPartition", TType.STRUCT, (short) 1));
        structs.filled(new io.talosgateway.thrift.TopicAndPartition()).write(out);
        out.writeFieldEnd();
        out.writeFieldBegin(new TField("messageBlocks", TType.LIST, (short) 2));
        out.writeListBegin(new org.apache.thrift.protocol.TList(TType.STRUCT, blocks));
        for (int block = 0; block < blocks; block++) {
            writeBlock(out, extra);
        }
        out.writeListEnd();
        out.writeFieldEnd();
        MessageBlockCodec.writeI32(out, new TField("messageNumber", TType.I32, (short) 3), 2 * blocks);
        out.writeFieldBegin(new TField("sequenceId", TType.STRING, (short) 4));
        out.writeString("sequence");
        out.writeFieldEnd();
        out.writeFieldStop();
        out.writeStructEnd();
    }

    /** With fields that this gateway does not know, if wanted: one of each type, and containers of them. */
    private static void writeBlock(TProtocol out, boolean extra) throws TException {
        out.writeStructBegin(new TStruct("MessageBlock"));
        MessageBlockCodec.writeI32(out, new TField("messageNumber", TType.I32, (short) 2), 2);
        MessageBlockCodec.writeI32(out, new TField("compressionType", TType.I32, (short) 3), 0);
        out.writeFieldBegin(new TField("messageBlock", TType.STRING, (short) 4));
        out.writeBinary(ByteBuffer.wrap(new byte[] {1, 2, 3}));
        out.writeFieldEnd();
        MessageBlockCodec.writeI64(out, new TField("createTimestamp", TType.I64, (short) 7), 1_600_000_000_000L);
        if (extra) {
            out.writeFieldBegin(new TField("flag", TType.BOOL, (short) 20));
            out.writeBool(true);
            out.writeFieldEnd();
            out.writeFieldBegin(new TField("ratio", TType.DOUBLE, (short) 21));
            out.writeDouble(0.5);
            out.writeFieldEnd();
            out.writeFieldBegin(new TField("names", TType.MAP, (short) 22));
            out.writeMapBegin(new TMap(TType.STRING, TType.BYTE, 2));
            out.writeString("a");
            out.writeByte((byte) 1);
            out.writeString("b");
            out.writeByte((byte) 2);
            out.writeMapEnd();
            out.writeFieldEnd();
            out.writeFieldBegin(new TField("parts", TType.LIST, (short) 23));
            out.writeListBegin(new org.apache.thrift.protocol.TList(TType.STRUCT, 1));
            out.writeStructBegin(new TStruct("Part"));
            MessageBlockCodec.writeI64(out, new TField("from", TType.I64, (short) 1), -7);
            out.writeFieldStop();
            out.writeStructEnd();
            out.writeListEnd();
            out.writeFieldEnd();
            out.writeFieldBegin(new TField("none", TType.MAP, (short) 24));
            out.writeMapBegin(new TMap(TType.STRING, TType.STRING, 0));
            out.writeMapEnd();
            out.writeFieldEnd();
            out.writeFieldBegin(new TField("numbers", TType.SET, (short) 25));
            out.writeSetBegin(new org.apache.thrift.protocol.TSet(TType.I16, 1));
            out.writeI16((short) 300);
            out.writeSetEnd();
            out.writeFieldEnd();
        }
        out.writeFieldStop();
        out.writeStructEnd();
    }
}
