package io.talosgateway.loadgen.http;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** The beginning of a request, laid out anew for each in the same memory, without an object more. For one thread. */
public final class RequestBytes {

    private static final int HEX_DIGITS = 16;

    private ByteBuffer buffer;

    public RequestBytes(int capacity) {
        buffer = ByteBuffer.allocateDirect(capacity);
    }

    public static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** Whether something of a request is not sent yet; its last part may be empty. */
    public static boolean hasMore(ByteBuffer[] request) {
        for (ByteBuffer part : request) {
            if (part.hasRemaining()) {
                return true;
            }
        }
        return false;
    }

    public RequestBytes clear() {
        buffer.clear();
        return this;
    }

    public RequestBytes put(byte[] bytes) {
        room(bytes.length).put(bytes);
        return this;
    }

    /** In decimal digits. */
    public RequestBytes decimal(long number) {
        int digits = 1;
        for (long rest = number / 10; rest > 0; rest /= 10) {
            digits++;
        }
        room(digits);
        int end = buffer.position() + digits;
        int at = end;
        long rest = number;
        for (int digit = 0; digit < digits; digit++) {
            buffer.put(--at, (byte) ('0' + rest % 10));
            rest /= 10;
        }
        buffer.position(end);
        return this;
    }

    /** In 16 hexadecimal digits. */
    public RequestBytes hexadecimal(long number) {
        room(HEX_DIGITS);
        for (int digit = HEX_DIGITS - 1; digit >= 0; digit--) {
            buffer.put((byte) Character.forDigit((int) (number >>> (4 * digit)) & 0xf, HEX_DIGITS));
        }
        return this;
    }

    /** The buffer, to write so many bytes to. */
    public ByteBuffer room(int bytes) {
        if (buffer.remaining() < bytes) {
            buffer = ByteBuffer.allocateDirect(2 * (buffer.position() + bytes)).put(buffer.flip());
        }
        return buffer;
    }

    /** What was written, ready to be sent; nothing may be written any more. */
    public ByteBuffer flip() {
        return buffer.flip();
    }
}
