package io.talosgateway.rest.journal.file;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

import io.talosgateway.rest.message.MessageBatch;
import io.talosgateway.rest.topic.OwnerEpoch;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.wire.message.ByteSlice;
import io.talosgateway.wire.message.MessageBlock;
import org.jspecify.annotations.Nullable;

/** Encodes frame headers into a buffer that is used again; for one thread. The layout is drawn in {@link FrameHeader}. */
public final class FrameEncoder {

    private static final byte[] ZEROS = new byte[FrameHeader.FIXED_BYTES];
    private static final byte[] NO_KEY = {};

    private ByteBuffer header = ByteBuffer.allocate(1024);

    /** Encodes the header of a put; valid until the next call. The blocks' bytes are the body. */
    public ByteSlice messages(
            int fileTag,
            TopicPartition partition,
            OwnerEpoch epoch,
            long firstOffset,
            long appendTimestampMs,
            long durablePosition,
            MessageBatch batch,
            @Nullable String idempotencyKey,
            long digest) {
        byte[] key = idempotencyKey == null ? NO_KEY : idempotencyKey.getBytes(StandardCharsets.UTF_8);
        int length = FrameHeader.FIXED_BYTES + key.length + batch.blocks().size() * FrameHeader.BLOCK_BYTES;
        start(FrameKind.MESSAGES, length, batch.bytes(), batch.checksum(), fileTag);
        header.put(FrameHeader.FLAGS_AT, idempotencyKey == null ? 0 : FrameHeader.HAS_KEY);
        header.putShort(FrameHeader.KEY_LENGTH_AT, (short) key.length);
        header.putInt(FrameHeader.BLOCK_COUNT_AT, batch.blocks().size());
        header.position(FrameHeader.TOPIC_AT);
        PartitionCodec.put(header, partition);
        header.putInt(FrameHeader.MESSAGE_COUNT_AT, batch.messageCount());
        header.putLong(FrameHeader.EPOCH_AT, epoch.value());
        header.putLong(FrameHeader.FIRST_OFFSET_AT, firstOffset);
        header.putLong(FrameHeader.APPEND_TIMESTAMP_AT, appendTimestampMs);
        header.putLong(FrameHeader.DURABLE_POSITION_AT, durablePosition);
        header.putLong(FrameHeader.DIGEST_AT, digest);
        header.position(FrameHeader.FIXED_BYTES);
        header.put(key);
        for (MessageBlock block : batch.blocks()) {
            header.putInt(block.messageNumber());
            header.putInt(block.compression());
            header.putLong(block.createTimestampMs());
            header.putInt(block.data().length());
            header.putInt(block.extraFields().length());
        }
        return finish(length);
    }

    /** Encodes the header of a frame whose body is not messages; valid until the next call. */
    ByteSlice other(FrameKind kind, int fileTag, ByteSlice body, long durablePosition) {
        CRC32C crc = new CRC32C();
        crc.update(body.array(), body.offset(), body.length());
        start(kind, FrameHeader.FIXED_BYTES, body.length(), (int) crc.getValue(), fileTag);
        header.putLong(FrameHeader.DURABLE_POSITION_AT, durablePosition);
        return finish(FrameHeader.FIXED_BYTES);
    }

    private void start(FrameKind kind, int headerLength, int bodyLength, int bodyChecksum, int fileTag) {
        if (header.capacity() < headerLength) {
            header = ByteBuffer.allocate(headerLength);
        }
        header.clear();
        header.put(0, ZEROS);
        header.putInt(0, FrameHeader.MAGIC);
        header.putInt(FrameHeader.HEADER_LENGTH_AT, headerLength);
        header.putInt(FrameHeader.BODY_LENGTH_AT, bodyLength);
        header.putInt(FrameHeader.BODY_CHECKSUM_AT, bodyChecksum);
        header.put(FrameHeader.KIND_AT, kind.code());
        header.putInt(FrameHeader.FILE_TAG_AT, fileTag);
    }

    private ByteSlice finish(int length) {
        header.putInt(
                FrameHeader.CHECKSUM_AT,
                FrameHeader.checksum(header, FrameHeader.CHECKED_FROM, length - FrameHeader.CHECKED_FROM));
        return new ByteSlice(header.array(), 0, length);
    }
}
