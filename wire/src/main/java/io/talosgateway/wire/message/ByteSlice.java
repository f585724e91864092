package io.talosgateway.wire.message;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * Part of a byte array that nobody changes any more. Payloads travel as slices of the buffer they were read into. Equal
 * when the bytes are equal.
 */
public final class ByteSlice {

    public static final ByteSlice EMPTY = new ByteSlice(new byte[0]);

    private final byte[] array;
    private final int offset;
    private final int length;

    /** The whole array, which the caller must not change any more. */
    public ByteSlice(byte[] array) {
        this(array, 0, array.length);
    }

    public ByteSlice(byte[] array, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, array.length);
        this.array = array;
        this.offset = offset;
        this.length = length;
    }

    /** The remaining bytes of a heap buffer, not copied. */
    public static ByteSlice of(ByteBuffer buffer) {
        return new ByteSlice(buffer.array(), buffer.arrayOffset() + buffer.position(), buffer.remaining());
    }

    public static ByteSlice utf8(String text) {
        return new ByteSlice(text.getBytes(StandardCharsets.UTF_8));
    }

    /** The array behind this slice; not to be changed. */
    public byte[] array() {
        return array;
    }

    /** Where the slice starts in its array. */
    public int offset() {
        return offset;
    }

    public int length() {
        return length;
    }

    public byte byteAt(int index) {
        return array[offset + Objects.checkIndex(index, length)];
    }

    public ByteSlice slice(int from, int sliceLength) {
        Objects.checkFromIndexSize(from, sliceLength, length);
        return new ByteSlice(array, offset + from, sliceLength);
    }

    public ByteBuffer toByteBuffer() {
        return ByteBuffer.wrap(array, offset, length).slice();
    }

    /**
     * The slice as a buffer over the whole array. Thrift's JSON protocol takes the array offset of a buffer off its length,
     * and so cuts buffers that have one: what it may write must come from here.
     */
    public ByteBuffer toByteBufferWithoutArrayOffset() {
        return ByteBuffer.wrap(array, offset, length);
    }

    public byte[] toByteArray() {
        return Arrays.copyOfRange(array, offset, offset + length);
    }

    public String utf8() {
        return new String(array, offset, length, StandardCharsets.UTF_8);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ByteSlice slice
                && Arrays.equals(
                        array, offset, offset + length, slice.array, slice.offset, slice.offset + slice.length);
    }

    @Override
    public int hashCode() {
        return toByteBuffer().hashCode();
    }

    @Override
    public String toString() {
        int shown = Math.min(length, 32);
        return length + " bytes " + HexFormat.of().formatHex(array, offset, offset + shown)
                + (shown < length ? "..." : "");
    }
}
