package io.talosgateway.verifier;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;

/**
 * The bytes of messages. They follow from the run and the message's id, so that a put can be repeated without keeping them.
 *
 * <pre>
 * 0   8  the run
 * 8   4  writer
 * 12  4  number of the put
 * 16  2  index in the put
 * 18  2  messages in the put
 * 20  4  length of all this
 * 24  4  CRC32C of all other bytes
 * 28  n  filler
 * </pre>
 *
 * Safe for use by any thread.
 */
public final class WrittenContent {

    static final int HEADER_BYTES = 28;

    private static final int CHECKSUM_AT = 24;
    /** Fillers begin at any place in the first bytes of the same random bytes. */
    private static final int STARTS = 1 << 16;

    private final long run;
    private final int maxBytes;
    private final byte[] random;

    /** @param maxBytes most bytes of a message */
    WrittenContent(long run, int maxBytes) {
        this.run = run;
        this.maxBytes = maxBytes;
        this.random = new byte[STARTS + maxBytes];
        new SplittableRandom(run).nextBytes(random);
    }

    /** @param count messages in the put */
    byte[] bytes(MessageId id, int count) {
        long mixed = new SplittableRandom(run ^ id.word()).nextLong();
        int length = HEADER_BYTES + (int) Long.remainderUnsigned(mixed, maxBytes - HEADER_BYTES + 1L);
        ByteBuffer bytes = ByteBuffer.allocate(length);
        bytes.putLong(run).putInt(id.writer()).putInt(id.number());
        bytes.putShort((short) id.index())
                .putShort((short) count)
                .putInt(length)
                .putInt(0);
        bytes.put(random, (int) (mixed >>> 48), bytes.remaining());
        bytes.putInt(CHECKSUM_AT, checksum(bytes.array()));
        return bytes.array();
    }

    /** With zeroes where the checksum is. */
    private static int checksum(byte[] bytes) {
        CRC32C checksum = new CRC32C();
        checksum.update(bytes, 0, CHECKSUM_AT);
        checksum.update(bytes, HEADER_BYTES, bytes.length - HEADER_BYTES);
        return (int) checksum.getValue();
    }

    /** Says what a payload is. */
    MessageId read(byte[] payload) {
        if (payload.length < HEADER_BYTES || ByteBuffer.wrap(payload).getLong() != run) {
            return MessageId.foreign(Arrays.hashCode(payload));
        }
        ByteBuffer bytes = ByteBuffer.wrap(payload).position(Long.BYTES);
        int writer = bytes.getInt();
        int number = bytes.getInt();
        int index = bytes.getShort();
        boolean possible = writer >= 0
                && writer < MessageId.MAX_WRITERS - 1
                && number >= 0
                && index >= 0
                && index < MessageId.MAX_INDEX;
        if (!possible) {
            return MessageId.foreign(Arrays.hashCode(payload));
        }
        boolean same = bytes.getInt(CHECKSUM_AT - Integer.BYTES) == payload.length
                && bytes.getInt(CHECKSUM_AT) == checksum(payload);
        MessageId id = MessageId.of(writer, number, index);
        return same ? id : id.changed();
    }
}
