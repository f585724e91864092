package io.talosgateway.rest.message;

import java.util.List;
import java.util.function.Consumer;
import java.util.zip.CRC32C;

import com.google.common.hash.Hashing;
import io.talosgateway.wire.message.ByteSlice;
import io.talosgateway.wire.message.MessageBlock;
import org.jspecify.annotations.Nullable;

/**
 * The blocks of one put. They are stored together or not at all, at consecutive offsets.
 *
 * <p>Immutable until it is recycled, if it is; safe for use by any thread.
 */
public final class MessageBatch {

    private final List<MessageBlock> blocks;
    private final int messageCount;
    private final int bytes;
    private final int checksum;
    /** Takes the array in which the blocks are; null if it is left to the collector. */
    private final @Nullable Consumer<byte[]> taker;

    private volatile boolean recycled;

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
        this.taker = null;
    }

    private MessageBatch(MessageBatch same, Consumer<byte[]> taker) {
        this.blocks = same.blocks;
        this.messageCount = same.messageCount;
        this.bytes = same.bytes;
        this.checksum = same.checksum;
        this.taker = taker;
    }

    /**
     * The same batch, whose blocks are all in one array.
     *
     * @param arrayTaker gets the array when the batch is {@link #recycle recycled}
     */
    public MessageBatch recycledTo(Consumer<byte[]> arrayTaker) {
        return new MessageBatch(this, arrayTaker);
    }

    /**
     * Gives up the blocks. For the one that has stored them: nobody else may store or read them at that time, or later. A batch
     * that is not stored, or may be, is never recycled.
     */
    public void recycle() {
        if (taker != null && endBlocks()) {
            taker.accept(blocks.get(0).data().array());
        }
    }

    private synchronized boolean endBlocks() {
        boolean first = !recycled;
        recycled = true;
        return first;
    }

    /** @throws IllegalStateException if the batch is recycled: they may be those of another one */
    public List<MessageBlock> blocks() {
        if (recycled) {
            throw new IllegalStateException("the blocks were stored and given up");
        }
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
        for (MessageBlock block : blocks()) {
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
