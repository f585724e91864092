package io.talosgateway.rest.message.format;

import java.nio.charset.StandardCharsets;
import java.util.List;

import com.google.common.io.ByteArrayDataOutput;
import com.google.common.io.ByteStreams;
import io.talosgateway.rest.message.ByteSlice;
import io.talosgateway.rest.message.Message;
import io.talosgateway.rest.message.MessageBlock;
import io.talosgateway.thrift.MessageType;
import org.apache.thrift.TException;
import org.apache.thrift.TSerializer;
import org.apache.thrift.protocol.TCompactProtocol;

/** Makes blocks as the Talos SDKs do. Stateless. */
public final class MessageEncoder {

    private MessageEncoder() {}

    /**
     * Makes one block of {@code messages}.
     *
     * @param version V2 or V3
     * @throws UnsupportedOperationException for a version or compression that is only read
     */
    public static MessageBlock encode(List<Message> messages, MessageVersion version, Compression compression) {
        ByteArrayDataOutput out = ByteStreams.newDataOutput();
        for (Message message : messages) {
            switch (version) {
                case V2 -> writeV2(out, message);
                case V3 -> writeV3(out, message);
                case V1 -> throw new UnsupportedOperationException("messages of version 1 are only read");
            }
        }
        return new MessageBlock(
                messages.size(),
                compression.code(),
                compression.compress(out.toByteArray()),
                meanCreateTimestamp(messages),
                ByteSlice.EMPTY);
    }

    private static void writeHeader(ByteArrayDataOutput out, MessageVersion version) {
        out.writeByte(MessageVersion.MARK);
        out.writeShort(version.number());
        out.writeByte(0);
    }

    private static void writeV2(ByteArrayDataOutput out, Message message) {
        writeHeader(out, MessageVersion.V2);
        out.writeLong(createTimestampMs(message));
        Integer type = message.type();
        out.writeShort(type == null ? Message.BINARY : type);
        String sequenceNumber = message.sequenceNumber();
        byte[] sequence = sequenceNumber == null ? new byte[0] : sequenceNumber.getBytes(StandardCharsets.UTF_8);
        out.writeShort(sequence.length);
        out.write(sequence);
        ByteSlice payload = message.payload();
        out.writeInt(payload.length());
        out.write(payload.array(), payload.offset(), payload.length());
    }

    private static void writeV3(ByteArrayDataOutput out, Message message) {
        writeHeader(out, MessageVersion.V3);
        byte[] struct = serialize(message);
        out.writeInt(struct.length);
        out.write(struct);
    }

    private static byte[] serialize(Message message) {
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
        try {
            return new TSerializer(new TCompactProtocol.Factory()).serialize(struct);
        } catch (TException e) {
            throw new AssertionError("writing to memory does not fail", e);
        }
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
