package io.talosgateway.rest.journal.read;

import java.nio.ByteBuffer;

import io.talosgateway.rest.message.MessageBatch;
import io.talosgateway.wire.message.ByteSlice;
import io.talosgateway.wire.message.MessageBlock;
import io.talosgateway.wire.message.StoredBlock;

/**
 * A put in the {@link TailCache}: how its bytes lie in the ring. All integers are big-endian; the record is filled up to a
 * multiple of 8 bytes.
 *
 * <pre>
 *   0        4        8                 16                24                32       36       40
 *  +--------+--------+-----------------+-----------------+-----------------+--------+--------+
 *  | record | number | position of the | first offset    | append time, ms | message| blocks |
 *  | length | of tail | next of the tail|                 |                 | count  | (u32)  |
 *  +--------+--------+-----------------+-----------------+-----------------+--------+--------+
 *   40
 *  +----------------------------------------------------+---------------------------------------+
 *  | per block: messages u32 | compression i32 |          | per block: data, extra fields         |
 *  | create time ms i64 | data length u32 | extra length u32 |                                       |
 *  +----------------------------------------------------+---------------------------------------+
 * </pre>
 */
final class TailRecord {

    /** What {@link #next} says of the last one. */
    static final long NONE = -1;

    private static final int TAIL_AT = 4;
    private static final int NEXT_AT = 8;
    private static final int FIRST_OFFSET_AT = 16;
    private static final int APPEND_TIMESTAMP_AT = 24;
    private static final int MESSAGE_COUNT_AT = 32;
    private static final int BLOCK_COUNT_AT = 36;
    private static final int FIXED_BYTES = 40;
    private static final int BLOCK_BYTES = 24;

    private TailRecord() {}

    static long length(MessageBatch batch) {
        long bytes = FIXED_BYTES + (long) BLOCK_BYTES * batch.blocks().size() + batch.bytes();
        return (bytes + ByteRing.ALIGNMENT - 1) / ByteRing.ALIGNMENT * ByteRing.ALIGNMENT;
    }

    /** Writes one where the ring was extended. */
    static void write(
            ByteRing ring, long at, long length, int tail, long firstOffset, long timestampMs, MessageBatch batch) {
        ring.putInt(at, Math.toIntExact(length));
        ring.putInt(at + TAIL_AT, tail);
        ring.putLong(at + NEXT_AT, NONE);
        ring.putLong(at + FIRST_OFFSET_AT, firstOffset);
        ring.putLong(at + APPEND_TIMESTAMP_AT, timestampMs);
        ring.putInt(at + MESSAGE_COUNT_AT, batch.messageCount());
        ring.putInt(at + BLOCK_COUNT_AT, batch.blocks().size());
        long block = at + FIXED_BYTES;
        long body = block + (long) BLOCK_BYTES * batch.blocks().size();
        for (MessageBlock of : batch.blocks()) {
            ring.putInt(block, of.messageNumber());
            ring.putInt(block + 4, of.compression());
            ring.putLong(block + 8, of.createTimestampMs());
            ring.putInt(block + 16, of.data().length());
            ring.putInt(block + 20, of.extraFields().length());
            block += BLOCK_BYTES;
            ring.put(body, of.data());
            ring.put(body + of.data().length(), of.extraFields());
            body += of.bytes();
        }
    }

    static void setNext(ByteRing ring, long at, long next) {
        ring.putLong(at + NEXT_AT, next);
    }

    static int length(ByteRing ring, long at) {
        return ring.getInt(at);
    }

    static int tail(ByteRing ring, long at) {
        return ring.getInt(at + TAIL_AT);
    }

    static long next(ByteRing ring, long at) {
        return ring.getLong(at + NEXT_AT);
    }

    static long firstOffset(ByteRing ring, long at) {
        return ring.getLong(at + FIRST_OFFSET_AT);
    }

    static long endOffset(ByteRing ring, long at) {
        return firstOffset(ring, at) + ring.getInt(at + MESSAGE_COUNT_AT);
    }

    /**
     * Offers the blocks of one, in copies, to a collector; for any thread.
     *
     * @return false, and nothing is offered, if it is gone
     */
    static boolean offer(ByteRing ring, long at, ReadResult.Collector collector) {
        int length = ring.getInt(at);
        long offset = firstOffset(ring, at);
        long timestampMs = ring.getLong(at + APPEND_TIMESTAMP_AT);
        int blockCount = ring.getInt(at + BLOCK_COUNT_AT);
        if (!ring.holds(at)) {
            return false;
        }
        byte[] rest = new byte[length - FIXED_BYTES];
        ring.get(at + FIXED_BYTES, rest);
        if (!ring.holds(at)) {
            return false;
        }
        ByteBuffer headers = ByteBuffer.wrap(rest);
        int body = blockCount * BLOCK_BYTES;
        for (int block = 0; block < blockCount; block++) {
            int messageNumber = headers.getInt();
            int compression = headers.getInt();
            long createTimestampMs = headers.getLong();
            ByteSlice data = new ByteSlice(rest, body, headers.getInt());
            body += data.length();
            int extraLength = headers.getInt();
            ByteSlice extra = extraLength == 0 ? ByteSlice.EMPTY : new ByteSlice(rest, body, extraLength);
            body += extraLength;
            collector.offer(new StoredBlock(
                    offset, timestampMs, new MessageBlock(messageNumber, compression, data, createTimestampMs, extra)));
            offset += messageNumber;
        }
        return true;
    }
}
