package io.talosgateway.rest.journal.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

import io.talosgateway.rest.journal.KeyedPut;
import io.talosgateway.rest.message.IdempotencyKey;
import io.talosgateway.wire.message.ByteSlice;

/**
 * The last puts with idempotency keys of a journal file, encoded as in the {@link Footer}: 64 bytes a put, and no object. Safe for
 * use by any thread.
 */
final class KeyedPutBuffer {

    private static final int PUT_BYTES = PartitionCodec.BYTES + 5 * 8 + 4;
    private static final int FIRST_PUTS = 16;

    private final int maxPuts;
    /** Guarded by this, as is what follows. Once it has room for as many as may be, the newest put takes the place of the oldest. */
    private ByteBuffer ring = ByteBuffer.allocate(FIRST_PUTS * PUT_BYTES);

    private long added;

    /** @param maxPuts as many are remembered; more than {@value #FIRST_PUTS} */
    KeyedPutBuffer(int maxPuts) {
        this.maxPuts = maxPuts;
    }

    synchronized void add(KeyedPut put) {
        int room = ring.capacity() / PUT_BYTES;
        if (added == room && room < maxPuts) {
            ring = ByteBuffer.allocate(Math.min(maxPuts, 2 * room) * PUT_BYTES).put(ring.clear());
        }
        encode(put, ring.position((int) (added % maxPuts) * PUT_BYTES));
        added++;
    }

    private static void encode(KeyedPut put, ByteBuffer out) {
        PartitionCodec.put(out, put.partition());
        out.putLong(put.key().first());
        out.putLong(put.key().second());
        out.putLong(put.digest());
        out.putLong(put.firstOffset());
        out.putInt(put.messageCount());
        out.putLong(put.appendTimestampMs());
    }

    /** The section of the footer: the puts, oldest first. */
    synchronized byte[] encode() {
        int length = (int) Math.min(added, maxPuts) * PUT_BYTES;
        int oldest = added <= maxPuts ? 0 : (int) (added % maxPuts) * PUT_BYTES;
        byte[] section = new byte[length];
        ring.get(oldest, section, 0, length - oldest);
        ring.get(0, section, length - oldest, oldest);
        return section;
    }

    /** The puts, oldest first. */
    List<KeyedPut> puts() {
        return decoded(ByteBuffer.wrap(encode()));
    }

    /**
     * @param bytes of a section that {@linkplain Footer.Section#isWhole is whole}
     * @throws IOException if they are no puts nevertheless
     */
    static List<KeyedPut> decode(ByteSlice bytes) throws IOException {
        if (bytes.length() % PUT_BYTES != 0) {
            throw new IOException("the puts with idempotency keys in the footer of a journal file are damaged");
        }
        return decoded(bytes.toByteBuffer());
    }

    private static List<KeyedPut> decoded(ByteBuffer in) {
        List<KeyedPut> puts = new ArrayList<>(in.remaining() / PUT_BYTES);
        while (in.hasRemaining()) {
            puts.add(new KeyedPut(
                    PartitionCodec.get(in),
                    new IdempotencyKey.Fingerprint(in.getLong(), in.getLong()),
                    in.getLong(),
                    in.getLong(),
                    in.getInt(),
                    in.getLong()));
        }
        return puts;
    }
}
