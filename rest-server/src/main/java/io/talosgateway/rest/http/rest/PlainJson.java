package io.talosgateway.rest.http.rest;

import java.util.Arrays;

import io.talosgateway.wire.message.ByteSlice;

/** Writes JSON whose names are known and whose strings need no escapes. For one thread. */
final class PlainJson {

    private static final int MAX_DIGITS = 20;

    private byte[] bytes;
    private int length;

    /** @param capacity how many bytes it is likely to have */
    PlainJson(int capacity) {
        bytes = new byte[capacity];
    }

    /** @param text ASCII, taken as it is */
    PlainJson text(String text) {
        makeRoom(text.length());
        for (int index = 0; index < text.length(); index++) {
            bytes[length++] = (byte) text.charAt(index);
        }
        return this;
    }

    PlainJson number(long number) {
        if (number < 0) {
            return text(Long.toString(number));
        }
        makeRoom(MAX_DIGITS);
        int digits = 1;
        for (long rest = number / 10; rest > 0; rest /= 10) {
            digits++;
        }
        long rest = number;
        for (int at = length + digits - 1; at >= length; at--) {
            bytes[at] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        length += digits;
        return this;
    }

    private void makeRoom(int more) {
        if (more > bytes.length - length) {
            bytes = Arrays.copyOf(bytes, 2 * (length + more));
        }
    }

    ByteSlice written() {
        return new ByteSlice(bytes, 0, length);
    }
}
