package io.talosgateway.wire.message.format;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

import io.talosgateway.thrift.MessageType;
import io.talosgateway.wire.message.ByteSlice;
import io.talosgateway.wire.message.Message;
import io.talosgateway.wire.message.MessageBlock;
import io.talosgateway.wire.message.ValueForm;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TCompactProtocol;
import org.jspecify.annotations.Nullable;

/** Makes blocks as the Talos SDKs do. Stateless. */
public final class MessageEncoder {

    private static final int OVERHEAD_BYTES = 64;
    /** Timestamp, type, and the lengths of sequence number and payload. */
    private static final int V2_FIXED_BYTES = 8 + 2 + 2 + 4;

    private MessageEncoder() {}

    /**
     * Makes one block of {@code messages}.
     *
     * @param version V2 or V3
     * @throws UnsupportedOperationException for a version or compression that is only read
     */
    public static MessageBlock encode(List<Message> messages, MessageVersion version, Compression compression) {
        try {
            BlockBuffer out = new BlockBuffer(capacityFor(messages));
            TCompactProtocol structs = new TCompactProtocol(out);
            for (Message message : messages) {
                switch (version) {
                    case V2 -> writeV2(out, message);
                    case V3 -> writeV3(out, structs, message);
                    case V1 -> throw new UnsupportedOperationException("messages of version 1 are only read");
                }
            }
            return new MessageBlock(
                    messages.size(),
                    compression.code(),
                    compression.compress(out.written()),
                    meanCreateTimestamp(messages),
                    ByteSlice.EMPTY);
        } catch (TException e) {
            throw new AssertionError("writing to memory does not fail", e);
        }
    }

    /** Enough in nearly all cases: texts may need up to three times their length. */
    private static int capacityFor(List<Message> messages) {
        long bytes = 0;
        for (Message message : messages) {
            bytes += OVERHEAD_BYTES + message.payload().length();
            bytes += length(message.key()) + length(message.sequenceNumber());
            bytes += length(message.schemaFingerprint()) + length(message.tag());
        }
        return Math.toIntExact(bytes);
    }

    private static int length(@Nullable String text) {
        return text == null ? 0 : text.length();
    }

    private static ByteBuffer header(BlockBuffer out, MessageVersion version, int bytes) {
        return out.room(MessageVersion.HEADER_BYTES + bytes)
                .put(MessageVersion.MARK)
                .putShort((short) version.number())
                .put((byte) 0);
    }

    private static void writeV2(BlockBuffer out, Message message) {
        String sequenceNumber = message.sequenceNumber();
        byte[] sequence = sequenceNumber == null ? new byte[0] : sequenceNumber.getBytes(StandardCharsets.UTF_8);
        ByteSlice payload = message.payload();
        Integer type = message.type();
        header(out, MessageVersion.V2, V2_FIXED_BYTES + sequence.length + payload.length())
                .putLong(createTimestampMs(message))
                .putShort((short) (type == null ? Message.BINARY : type))
                .putShort((short) sequence.length)
                .put(sequence)
                .putInt(payload.length())
                .put(payload.array(), payload.offset(), payload.length());
    }

    private static void writeV3(BlockBuffer out, TCompactProtocol structs, Message message) throws TException {
        header(out, MessageVersion.V3, Integer.BYTES).putInt(0);
        int start = out.length();
        ValueForm form = message.form();
        struct(message).write(form == null ? structs : new ValueFormWriter(structs, form));
        out.setInt(start - Integer.BYTES, out.length() - start);
    }

    private static io.talosgateway.thrift.Message struct(Message message) {
        io.talosgateway.thrift.Message struct = new io.talosgateway.thrift.Message();
        struct.setPartitionKey(message.key());
        struct.setSequenceNumber(message.sequenceNumber());
        struct.setMessage(message.payload().toByteBuffer());
        struct.setSchemaFingerprint(message.schemaFingerprint());
        struct.setTag(message.tag());
        Long createTimestampMs = message.createTimestampMs();
        if (createTimestampMs != null) {
            struct.setCreateTimestamp(createTimestampMs);
        }
        Integer type = message.type();
        struct.setMessageType(MessageType.findByValue(type == null ? Message.BINARY : type));
        return struct;
    }

    /** Version 2 cannot leave it out: a message that has none was created when it was appended, for all we know. */
    private static long createTimestampMs(Message message) {
        Long createTimestampMs = message.createTimestampMs();
        Long appendTimestampMs = message.appendTimestampMs();
        if (createTimestampMs != null) {
            return createTimestampMs;
        }
        return appendTimestampMs == null ? 0 : appendTimestampMs;
    }

    /**
     * The running mean with integer division that the SDKs put into {@code MessageBlock.createTimestamp}; none unless every
     * message has a timestamp.
     */
    private static long meanCreateTimestamp(List<Message> messages) {
        long mean = MessageBlock.NO_TIMESTAMP;
        int count = 0;
        for (Message message : messages) {
            Long createTimestampMs = message.createTimestampMs();
            if (createTimestampMs == null) {
                return MessageBlock.NO_TIMESTAMP;
            }
            count++;
            mean = count == 1 ? createTimestampMs : mean + (createTimestampMs - mean) / count;
        }
        return mean;
    }
}
