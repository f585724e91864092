package io.talosgateway.rest.transaction;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;

import io.talosgateway.wire.message.ByteSlice;
import io.talosgateway.wire.message.MessageBlock;

/**
 * Says in a block which transaction it is of: field 9 of {@code MessageBlock}, as the last of its extra fields. So a block that is
 * stored can be told from others with the same messages, for as long as it is kept. Stateless.
 *
 * <pre>
 * 06     a field of 8 bytes whose number follows
 * 12     9, zigzag
 * ...    the id, zigzag, 7 bits a byte, the lowest first
 * 00     no field follows
 * </pre>
 */
final class TransactionMark {

    private static final int I64_FIELD = 0x06;
    private static final int FIELD_9 = 0x12;
    private static final int STOP = 0x00;

    private TransactionMark() {}

    /** The block with the mark. */
    static MessageBlock mark(MessageBlock block, long id) {
        ByteSlice extra = block.extraFields();
        byte[] mark = bytes(id);
        // Without its stop, if it has one.
        int kept = Math.max(0, extra.length() - 1);
        byte[] marked = Arrays.copyOf(extra.slice(0, kept).toByteArray(), kept + mark.length);
        System.arraycopy(mark, 0, marked, kept, mark.length);
        return new MessageBlock(
                block.messageNumber(),
                block.compression(),
                block.data(),
                block.createTimestampMs(),
                new ByteSlice(marked));
    }

    /** Whether a block is that of a transaction. Whoever may put to the partition may put its mark, too, but then around other messages. */
    static boolean isOf(MessageBlock block, long id, MessageBlock ofTransaction) {
        return isMarked(block, id)
                && block.messageNumber() == ofTransaction.messageNumber()
                && block.data().equals(ofTransaction.data());
    }

    private static boolean isMarked(MessageBlock block, long id) {
        ByteSlice extra = block.extraFields();
        ByteSlice mark = new ByteSlice(bytes(id));
        return extra.length() >= mark.length()
                && extra.slice(extra.length() - mark.length(), mark.length()).equals(mark);
    }

    private static byte[] bytes(long id) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(13);
        bytes.write(I64_FIELD);
        bytes.write(FIELD_9);
        long rest = (id << 1) ^ (id >> 63);
        while ((rest & ~0x7FL) != 0) {
            bytes.write((int) (rest & 0x7F) | 0x80);
            rest >>>= 7;
        }
        bytes.write((int) rest);
        bytes.write(STOP);
        return bytes.toByteArray();
    }
}
