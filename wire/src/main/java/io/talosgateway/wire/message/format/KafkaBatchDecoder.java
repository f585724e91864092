package io.talosgateway.wire.message.format;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

import io.talosgateway.wire.message.ByteSlice;
import io.talosgateway.wire.message.Message;
import io.talosgateway.wire.message.MessageBlock;
import io.talosgateway.wire.message.StoredBlock;
import org.jspecify.annotations.Nullable;

/**
 * Opens blocks in which the Kafka proxy of the original service put a Kafka record batch ("K0"): 8 bytes in front, then
 * the batch with magic 2 as in Kafka's protocol guide ("Record Batch"). Only the Go SDK reads them. Stateless.
 */
final class KafkaBatchDecoder {

    private static final byte MARK = 'K';
    private static final int ATTRIBUTES_AT = 29;
    private static final int FIRST_TIMESTAMP_AT = 35;
    private static final int BASE_SEQUENCE_AT = 61;
    private static final int RECORD_COUNT_AT = 65;
    private static final int RECORDS_AT = 69;

    private KafkaBatchDecoder() {}

    static boolean isKafkaBatch(MessageBlock block) {
        return block.compression() == Compression.NONE.code()
                && block.data().length() > 0
                && block.data().byteAt(0) == MARK;
    }

    static List<Message> decode(StoredBlock stored) throws UndecodableBlockException {
        ByteBuffer in = stored.block().data().toByteBuffer();
        try {
            if ((in.getShort(ATTRIBUTES_AT) & 7) != 0) {
                throw new UndecodableBlockException("the Kafka batch inside the block is compressed");
            }
            long firstTimestampMs = in.getLong(FIRST_TIMESTAMP_AT);
            int baseSequence = in.get(BASE_SEQUENCE_AT); // the Go SDK reads this one byte, signed
            int count = in.getInt(RECORD_COUNT_AT);
            if (count > stored.block().messageNumber()) {
                throw new UndecodableBlockException("the Kafka batch holds " + count + " messages, the block says "
                        + stored.block().messageNumber());
            }
            in.position(RECORDS_AT);
            List<Message> messages = new ArrayList<>();
            for (int index = 0; index < count; index++) {
                long length = varint(in);
                if (length < 0) {
                    // Else reading would go back, and never end.
                    throw new BufferUnderflowException();
                }
                // Or each of many short records might name a key as long as the block.
                int end = Math.toIntExact(in.position() + length);
                in.limit(end);
                in.get();
                long createTimestampMs = firstTimestampMs + varint(in);
                varint(in);
                ByteSlice key = bytes(in);
                ByteSlice value = bytes(in);
                messages.add(new Message(
                        key == null ? null : key.utf8(),
                        Integer.toString(baseSequence + index),
                        value == null ? ByteSlice.EMPTY : value,
                        createTimestampMs,
                        stored.appendTimestampMs(),
                        null,
                        null,
                        null));
                in.position(end).limit(in.capacity());
            }
            return messages;
        } catch (BufferUnderflowException
                | IllegalArgumentException
                | ArithmeticException
                | IndexOutOfBoundsException e) {
            throw new UndecodableBlockException("the Kafka batch inside the block is damaged", e);
        }
    }

    private static @Nullable ByteSlice bytes(ByteBuffer in) {
        int length = Math.toIntExact(varint(in));
        if (length < 0) {
            return null;
        }
        ByteSlice slice = ByteSlice.of(in).slice(0, length);
        in.position(in.position() + length);
        return slice;
    }

    private static long varint(ByteBuffer in) {
        long value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            byte next = in.get();
            value |= (long) (next & 0x7f) << shift;
            if (next >= 0) {
                return (value >>> 1) ^ -(value & 1);
            }
        }
        throw new BufferUnderflowException();
    }
}
