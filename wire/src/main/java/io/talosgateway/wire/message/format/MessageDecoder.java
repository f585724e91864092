package io.talosgateway.wire.message.format;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongPredicate;

import io.talosgateway.thrift.MessageType;
import io.talosgateway.wire.message.ByteSlice;
import io.talosgateway.wire.message.Message;
import io.talosgateway.wire.message.MessageBlock;
import io.talosgateway.wire.message.StoredBlock;
import io.talosgateway.wire.message.ValueForm;
import io.talosgateway.wire.thrift.NestingLimit;
import org.apache.thrift.TConfiguration;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TCompactProtocol;
import org.apache.thrift.transport.TMemoryInputTransport;
import org.jspecify.annotations.Nullable;

/** Opens blocks of every version and compression that a Talos client writes. Stateless. */
public final class MessageDecoder {

    private MessageDecoder() {}

    /**
     * True if a client that reads messages up to version 2 in NONE, SNAPPY and GZIP, as Java SDK 2.0 does, fails on it.
     * Looks at the first message only: a client writes all messages of a block in one version.
     */
    public static boolean needsNewerThanV2(MessageBlock block, int maxBytes, LongPredicate room)
            throws UndecodableBlockException {
        if (!isReadByJava(block)) {
            return true;
        }
        ByteBuffer first = Compression.ofCode(block.compression())
                .decompressFirst(block.data(), MessageVersion.HEADER_BYTES, maxBytes, room)
                .toByteBuffer();
        try {
            return version(first) == MessageVersion.V3;
        } catch (IndexOutOfBoundsException e) {
            throw truncated(block, e);
        }
    }

    /** True if the Java SDKs, whatever their version, know the block's compression and framing. */
    public static boolean isReadByJava(MessageBlock block) {
        return block.compression() <= Compression.GZIP.code() && !KafkaBatchDecoder.isKafkaBatch(block);
    }

    /**
     * The messages of a block, in order.
     *
     * @param maxBytes most bytes that decompression may produce
     * @throws UndecodableBlockException if the block is damaged, of an unknown kind, or larger
     */
    public static List<Message> decode(StoredBlock stored, int maxBytes) throws UndecodableBlockException {
        return decode(stored, maxBytes, bytes -> true);
    }

    /**
     * The same.
     *
     * @param room is asked before memory is taken for so many more bytes; if it says no, the block counts as larger
     */
    public static List<Message> decode(StoredBlock stored, int maxBytes, LongPredicate room)
            throws UndecodableBlockException {
        MessageBlock block = stored.block();
        if (KafkaBatchDecoder.isKafkaBatch(block)) {
            return KafkaBatchDecoder.decode(stored);
        }
        ByteBuffer in = open(block, maxBytes, room);
        List<Message> messages = new ArrayList<>();
        try {
            for (int index = 0; index < block.messageNumber(); index++) {
                messages.add(withAppendTimestamp(read(in), stored.appendTimestampMs()));
            }
        } catch (BufferUnderflowException | IndexOutOfBoundsException | IllegalArgumentException e) {
            throw truncated(block, e);
        }
        return messages;
    }

    private static ByteBuffer open(MessageBlock block, int maxBytes, LongPredicate room)
            throws UndecodableBlockException {
        return Compression.ofCode(block.compression())
                .decompress(block.data(), maxBytes, room)
                .toByteBuffer();
    }

    private static UndecodableBlockException truncated(MessageBlock block, RuntimeException cause) {
        return new UndecodableBlockException(
                "the block ends before its " + block.messageNumber() + " messages do", cause);
    }

    private static Message read(ByteBuffer in) throws UndecodableBlockException {
        return switch (version(in)) {
            case V1 -> readV1(in);
            case V2 -> readV2(in);
            case V3 -> readV3(in);
        };
    }

    /** Looks at the header of the next message without moving. */
    private static MessageVersion version(ByteBuffer in) throws UndecodableBlockException {
        if (in.get(in.position()) != MessageVersion.MARK) {
            return MessageVersion.V1;
        }
        int number = Short.toUnsignedInt(in.getShort(in.position() + 1));
        return switch (number) {
            case 2 -> MessageVersion.V2;
            case 3 -> MessageVersion.V3;
            default -> throw new UndecodableBlockException("the message version " + number + " is unknown");
        };
    }

    private static Message readV1(ByteBuffer in) {
        String sequenceNumber = text(in, in.getInt());
        ByteSlice payload = bytes(in, in.getInt());
        return new Message(null, sequenceNumber, payload, null, null, null, null, null);
    }

    private static Message readV2(ByteBuffer in) {
        in.position(in.position() + MessageVersion.HEADER_BYTES);
        long createTimestampMs = in.getLong();
        int type = in.getShort();
        String sequenceNumber = text(in, in.getShort());
        ByteSlice payload = bytes(in, in.getInt());
        return new Message(null, sequenceNumber, payload, createTimestampMs, null, type, null, null);
    }

    private static Message readV3(ByteBuffer in) throws UndecodableBlockException {
        in.position(in.position() + MessageVersion.HEADER_BYTES);
        ByteSlice bytes = bytes(in, in.getInt());
        io.talosgateway.thrift.Message struct = new io.talosgateway.thrift.Message();
        @Nullable ValueForm form;
        try {
            ValueFormReader protocol = new ValueFormReader(new NestingLimit(new TCompactProtocol(
                    new TMemoryInputTransport(new TConfiguration(), bytes.array(), bytes.offset(), bytes.length()))));
            struct.read(protocol);
            form = protocol.form();
        } catch (TException e) {
            throw new UndecodableBlockException("a message is not a Thrift struct", e);
        }
        MessageType type = struct.getMessageType();
        return new Message(
                struct.getPartitionKey(),
                struct.getSequenceNumber(),
                ByteSlice.of(struct.bufferForMessage()),
                struct.isSetCreateTimestamp() ? struct.getCreateTimestamp() : null,
                struct.isSetAppendTimestamp() ? struct.getAppendTimestamp() : null,
                type == null ? null : type.getValue(),
                struct.getSchemaFingerprint(),
                struct.getTag(),
                form);
    }

    private static @Nullable String text(ByteBuffer in, int length) {
        return length == 0 ? null : bytes(in, length).utf8();
    }

    private static ByteSlice bytes(ByteBuffer in, int length) {
        if (length < 0 || length > in.remaining()) {
            throw new BufferUnderflowException();
        }
        ByteSlice slice = ByteSlice.of(in).slice(0, length);
        in.position(in.position() + length);
        return slice;
    }

    private static Message withAppendTimestamp(Message message, long appendTimestampMs) {
        return new Message(
                message.key(),
                message.sequenceNumber(),
                message.payload(),
                message.createTimestampMs(),
                appendTimestampMs,
                message.type(),
                message.schemaFingerprint(),
                message.tag(),
                message.form());
    }
}
