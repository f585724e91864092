package io.talosgateway.rest.journal.read;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

import io.talosgateway.wire.message.ByteSlice;

/**
 * Bytes at positions that only rise. There is room for so many of them: those at the lowest positions are given up before
 * others take their room.
 *
 * <p>One thread at a time writes. Any thread reads what was written before it learned the position, without a lock: it reads
 * first, and asks {@link #holds} afterwards. If that says no, what it has read may be anything.
 *
 * <p>The bytes are in slabs, which are made when they are first needed, and stay. No reference is in them, and no collection
 * moves them more than a few times.
 */
final class ByteRing {

    /** With its header, a slab fills a region of G1, whose smallest ones are of 1 MiB, and does not begin another one. */
    private static final int SLAB_BYTES = (1 << 20) - 64;

    /** Numbers are at multiples of it, so that none is in two slabs. */
    static final int ALIGNMENT = Long.BYTES;

    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

    private final long capacity;
    private final byte[][] slabs;

    private volatile long start;

    // Of the writer.
    private int made;
    private long end;

    ByteRing(long maxBytes) {
        this.capacity = maxBytes / ALIGNMENT * ALIGNMENT;
        this.slabs = new byte[Math.toIntExact((capacity + SLAB_BYTES - 1) / SLAB_BYTES)][];
    }

    long capacity() {
        return capacity;
    }

    /** The lowest position that holds bytes. */
    long start() {
        return start;
    }

    /** Behind the last byte. For the writer. */
    long end() {
        return end;
    }

    /** How many bytes have room without giving others up. For the writer. */
    long free() {
        return capacity - (end - start);
    }

    /** Gives up the bytes below a position. For the writer. */
    void discardBelow(long position) {
        start = position;
        // Before whatever takes their room: a reader that sees it has to see this too.
        VarHandle.fullFence();
    }

    /** Goes on behind as many bytes, for which there is room, and which are to be written now. For the writer. */
    void extend(long length) {
        if (length > free()) {
            throw new AssertionError(length + " bytes in the room of " + free());
        }
        long needed = Math.min(end + length, capacity);
        for (; (long) made * SLAB_BYTES < needed; made++) {
            slabs[made] = new byte[(int) Math.min(SLAB_BYTES, capacity - (long) made * SLAB_BYTES)];
        }
        end += length;
    }

    /** Whether the bytes at a position, and all behind it, were still there after the reads before this call. */
    boolean holds(long position) {
        VarHandle.loadLoadFence();
        return position >= start;
    }

    void putInt(long position, int value) {
        INT.set(slabs[slabOf(position)], inSlab(position), value);
    }

    int getInt(long position) {
        return (int) INT.get(slabs[slabOf(position)], inSlab(position));
    }

    void putLong(long position, long value) {
        LONG.set(slabs[slabOf(position)], inSlab(position), value);
    }

    long getLong(long position) {
        return (long) LONG.get(slabs[slabOf(position)], inSlab(position));
    }

    void put(long position, ByteSlice bytes) {
        for (int done = 0; done < bytes.length(); ) {
            byte[] slab = slabs[slabOf(position + done)];
            int from = inSlab(position + done);
            int count = Math.min(bytes.length() - done, slab.length - from);
            System.arraycopy(bytes.array(), bytes.offset() + done, slab, from, count);
            done += count;
        }
    }

    void get(long position, byte[] into) {
        for (int done = 0; done < into.length; ) {
            byte[] slab = slabs[slabOf(position + done)];
            int from = inSlab(position + done);
            int count = Math.min(into.length - done, slab.length - from);
            System.arraycopy(slab, from, into, done, count);
            done += count;
        }
    }

    private int slabOf(long position) {
        return (int) (position % capacity / SLAB_BYTES);
    }

    private int inSlab(long position) {
        return (int) (position % capacity % SLAB_BYTES);
    }
}
