package io.talosgateway.rest.message;

import java.util.List;
import java.util.zip.CRC32C;

import com.google.common.hash.Hashing;
import io.talosgateway.wire.message.ByteSlice;
import io.talosgateway.wire.message.MessageBlock;

/**
 * The blocks of one put. They are stored together or not at all, at consecutive offsets.
 *
 * <p>Immutable; safe for use by any thread.
 */
public final class MessageBatch {

    private final List<MessageBlock> blocks;
    private final int messageCount;
    private final int bytes;
    private final int checksum;

    /**
     * Takes time in proportion to the bytes: it makes their checksum.
     *
     * @throws ArithmeticException if there are more than {@link Integer#MAX_VALUE} messages or bytes
     */
    public MessageBatch(List<MessageBlock> blocks) {
        this.blocks = List.copyOf(blocks);
        int count = 0;
        int size = 0;
        CRC32C crc = new CRC32C();
        for (MessageBlock block : this.blocks) {
            count = Math.addExact(count, block.messageNumber());
            size = Math.addExact(size, block.bytes());
            update(crc, block.data());
            update(crc, block.extraFields());
        }
        this.messageCount = count;
        this.bytes = size;
        this.checksum = (int) crc.getValue();
    }

    public List<MessageBlock> blocks() {
        return blocks;
    }

    /** Messages in all blocks. */
    public int messageCount() {
        return messageCount;
    }

    /** Bytes of all blocks. */
    public int bytes() {
        return bytes;
    }

    /**
     * 64 bits that stand for the blocks: a repeat of a put has the same. Takes time in proportion to the bytes.
     */
    public long digest() {
        long mixed = 0;
        for (MessageBlock block : blocks) {
            ByteSlice data = block.data();
            long hash = Hashing.farmHashFingerprint64()
                    .hashBytes(data.array(), data.offset(), data.length())
                    .asLong();
            mixed = (mixed ^ hash ^ ((long) block.messageNumber() << 32) ^ block.compression()) * 0x9e3779b97f4a7c15L;
        }
        return mixed;
    }

    /** CRC32C of the bytes of the blocks, in order, each followed by its extra fields. */
    public int checksum() {
        return checksum;
    }

    private static void update(CRC32C crc, ByteSlice slice) {
        crc.update(slice.array(), slice.offset(), slice.length());
    }
}
