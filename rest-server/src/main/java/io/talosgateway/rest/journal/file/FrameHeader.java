package io.talosgateway.rest.journal.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

import io.talosgateway.rest.message.IdempotencyKey;
import io.talosgateway.rest.topic.OwnerEpoch;
import io.talosgateway.rest.topic.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * The header of a frame, decoded. All integers are big-endian; offsets count from the start of the frame.
 *
 * <pre>
 *   0        4        8        12       16       20 21 22    24       28
 *  +--------+--------+--------+--------+--------+--+--+-----+--------+--------+
 *  | magic  | header | header | body   | body   |kd|fl| key | blocks | file   |
 *  | TGF1   | CRC32C | length | length | CRC32C |  |  | len | (u32)  | tag    |
 *  +--------+--------+--------+--------+--------+--+--+-----+--------+--------+
 *   32                                  48       52       56                64
 *  +-----------------------------------+--------+--------+-----------------+
 *  | topic id                          | parti- | message| owner epoch     |
 *  |                                   | tion   | count  |                 |
 *  +-----------------------------------+--------+--------+-----------------+
 *   64                72                80                88             96
 *  +-----------------+-----------------+-----------------+-----------------+
 *  | first offset    | append time, ms | durable position| digest          |
 *  +-----------------+-----------------+-----------------+-----------------+
 *   96              96 + key length
 *  +----------------+----------------------------------------------------+
 *  | idempotency key| per block: messages u32 | compression i32 |          |
 *  | UTF-8          | create time ms i64 | data length u32 | extra length u32|
 *  +----------------+----------------------------------------------------+
 * </pre>
 *
 * The header CRC covers everything from the header length to the end of the header; the body CRC covers the body, which
 * follows at once: for messages, each block's data and then its extra fields.
 *
 * @param kind what the frame holds
 * @param headerLength bytes of the header, {@value #FIXED_BYTES} and more
 * @param bodyLength bytes of the body
 * @param bodyChecksum CRC32C of the body
 * @param fileTag random number of the file, so that bytes of another file, or inside a payload, are not taken for a frame
 * @param partition the partition; zeros in frames that are not messages
 * @param messageCount messages in all blocks
 * @param epoch epoch of the owner that wrote it
 * @param firstOffset offset of the first message
 * @param appendTimestampMs when it was appended, epoch milliseconds
 * @param durablePosition everything of the file below this position was durable, and maybe acknowledged, when the frame
 *     was written: a frame that is damaged below a durable position is a loss, one above is a torn write
 * @param idempotencyKey the key of the put, or null
 * @param digest of the put's blocks; 0 without a key
 * @param blocks what the body is cut into
 */
public record FrameHeader(
        FrameKind kind,
        int headerLength,
        int bodyLength,
        int bodyChecksum,
        int fileTag,
        TopicPartition partition,
        int messageCount,
        OwnerEpoch epoch,
        long firstOffset,
        long appendTimestampMs,
        long durablePosition,
        @Nullable String idempotencyKey,
        long digest,
        List<BlockHeader> blocks) {

    /** "TGF" and the version of the format. */
    static final int MAGIC = 0x54474631;

    public static final int FIXED_BYTES = 96;
    static final int BLOCK_BYTES = 24;
    /** A header with the most blocks and the longest key, in UTF-8, is smaller. */
    static final int MAX_BYTES = FIXED_BYTES + 4 * 256 + 65_535 * BLOCK_BYTES;

    static final int CHECKSUM_AT = 4;
    static final int CHECKED_FROM = 8;
    static final int HEADER_LENGTH_AT = 8;
    static final int BODY_LENGTH_AT = 12;
    static final int BODY_CHECKSUM_AT = 16;
    static final int KIND_AT = 20;
    static final int FLAGS_AT = 21;
    static final int KEY_LENGTH_AT = 22;
    static final int BLOCK_COUNT_AT = 24;
    static final int FILE_TAG_AT = 28;
    static final int TOPIC_AT = 32;
    static final int PARTITION_AT = 48;
    static final int MESSAGE_COUNT_AT = 52;
    static final int EPOCH_AT = 56;
    static final int FIRST_OFFSET_AT = 64;
    static final int APPEND_TIMESTAMP_AT = 72;
    static final int DURABLE_POSITION_AT = 80;
    static final int DIGEST_AT = 88;

    static final byte HAS_KEY = 1;

    /** How one block lies in the body. */
    record BlockHeader(int messageNumber, int compression, long createTimestampMs, int dataLength, int extraLength) {}

    /** Bytes of the whole frame. */
    long frameLength() {
        return (long) headerLength + bodyLength;
    }

    /**
     * The length of the header that starts at the buffer's position, if one does as far as its first bytes tell.
     *
     * @return -1 if none does; needs {@value #FIXED_BYTES} bytes
     */
    public static int headerLength(ByteBuffer in) {
        int at = in.position();
        if (in.remaining() < FIXED_BYTES || in.getInt(at) != MAGIC) {
            return -1;
        }
        int length = in.getInt(at + HEADER_LENGTH_AT);
        return length >= FIXED_BYTES && length <= MAX_BYTES ? length : -1;
    }

    /**
     * Decodes the header at the buffer's position, without moving it.
     *
     * @return null if what is there is not a whole, undamaged header of the file with this tag
     */
    public static @Nullable FrameHeader decode(ByteBuffer in, int expectedFileTag) {
        int length = headerLength(in);
        if (length < 0 || length > in.remaining()) {
            return null;
        }
        int at = in.position();
        if (in.getInt(at + FILE_TAG_AT) != expectedFileTag
                || in.getInt(at + CHECKSUM_AT) != checksum(in, at + CHECKED_FROM, length - CHECKED_FROM)) {
            return null;
        }
        FrameKind kind = FrameKind.ofCode(in.get(at + KIND_AT));
        int keyLength = Short.toUnsignedInt(in.getShort(at + KEY_LENGTH_AT));
        int blockCount = in.getInt(at + BLOCK_COUNT_AT);
        int bodyLength = in.getInt(at + BODY_LENGTH_AT);
        if (kind == null || bodyLength < 0 || FIXED_BYTES + keyLength + (long) blockCount * BLOCK_BYTES != length) {
            return null;
        }
        String key = null;
        if ((in.get(at + FLAGS_AT) & HAS_KEY) != 0) {
            byte[] bytes = new byte[keyLength];
            in.get(at + FIXED_BYTES, bytes);
            key = new String(bytes, StandardCharsets.UTF_8);
            if (key.isEmpty() || key.length() > IdempotencyKey.MAX_LENGTH) {
                return null;
            }
        }
        List<BlockHeader> blocks = new ArrayList<>(blockCount);
        long blockBytes = 0;
        for (int block = at + FIXED_BYTES + keyLength; block < at + length; block += BLOCK_BYTES) {
            int dataLength = in.getInt(block + 16);
            int extraLength = in.getInt(block + 20);
            if (dataLength < 0 || extraLength < 0) {
                return null;
            }
            blockBytes += (long) dataLength + extraLength;
            blocks.add(new BlockHeader(
                    in.getInt(block), in.getInt(block + 4), in.getLong(block + 8), dataLength, extraLength));
        }
        if (blockBytes != (kind == FrameKind.MESSAGES ? bodyLength : 0)) {
            return null;
        }
        return new FrameHeader(
                kind,
                length,
                bodyLength,
                in.getInt(at + BODY_CHECKSUM_AT),
                expectedFileTag,
                PartitionCodec.get(in, at + TOPIC_AT),
                in.getInt(at + MESSAGE_COUNT_AT),
                new OwnerEpoch(in.getLong(at + EPOCH_AT)),
                in.getLong(at + FIRST_OFFSET_AT),
                in.getLong(at + APPEND_TIMESTAMP_AT),
                in.getLong(at + DURABLE_POSITION_AT),
                key,
                in.getLong(at + DIGEST_AT),
                blocks);
    }

    /** The file tag in a header that {@link #headerLength} found; for the first frame of a file. */
    static int fileTag(ByteBuffer in) {
        return in.getInt(in.position() + FILE_TAG_AT);
    }

    /**
     * Refuses a file of another version by its first bytes; its layout is not known, nor what it holds.
     *
     * @param file names it in the message
     */
    static void refuseOtherVersion(ByteBuffer first, Object file) throws IOException {
        int at = first.position();
        if (first.remaining() >= Integer.BYTES
                && first.getInt(at) != MAGIC
                && (first.getInt(at) ^ MAGIC) >>> Byte.SIZE == 0) {
            throw new IOException(
                    "%s was written by another version of the gateway: its format is %c, this one reads %c. Start the version that wrote it."
                            .formatted(file, (char) (first.get(at + 3) & 0xff), (char) (MAGIC & 0xff)));
        }
    }

    public static int checksum(ByteBuffer in, int from, int length) {
        CRC32C crc = new CRC32C();
        crc.update(in.array(), in.arrayOffset() + from, length);
        return (int) crc.getValue();
    }
}
