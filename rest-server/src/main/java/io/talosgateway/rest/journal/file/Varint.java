package io.talosgateway.rest.journal.file;

import java.nio.ByteBuffer;

/** Integers in base 128, low group first. A signed one is zigzag: 0, -1, 1, -2, as in Protocol Buffers. Stateless. */
final class Varint {

    /** Most bytes of one. */
    static final int MAX_BYTES = 10;

    private static final int GROUP_BITS = 7;
    private static final long GROUP = 0x7f;
    private static final int MORE = 0x80;

    private Varint() {}

    static void putUnsigned(ByteBuffer out, long value) {
        long rest = value;
        while ((rest & ~GROUP) != 0) {
            out.put((byte) ((rest & GROUP) | MORE));
            rest >>>= GROUP_BITS;
        }
        out.put((byte) rest);
    }

    static void put(ByteBuffer out, long value) {
        putUnsigned(out, (value << 1) ^ (value >> (Long.SIZE - 1)));
    }

    static long getUnsigned(ByteBuffer in) {
        long value = 0;
        for (int shift = 0; ; shift += GROUP_BITS) {
            byte next = in.get();
            value |= (next & GROUP) << shift;
            if (next >= 0) {
                return value;
            }
        }
    }

    static long get(ByteBuffer in) {
        long value = getUnsigned(in);
        return (value >>> 1) ^ -(value & 1);
    }
}
