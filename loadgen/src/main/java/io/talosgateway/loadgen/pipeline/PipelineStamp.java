package io.talosgateway.loadgen.pipeline;

import java.nio.ByteBuffer;
import java.util.Random;

/**
 * A message's first bytes: when it was put, by this process's {@link System#nanoTime}, big-endian, and its number. What follows
 * are random bytes, the same in each message. Safe for use by any thread.
 */
final class PipelineStamp {

    static final int BYTES = 2 * Long.BYTES;

    private final byte[] payload;

    /** @param size bytes of a message */
    PipelineStamp(int size, long seed) {
        payload = new byte[size];
        new Random(seed).nextBytes(payload);
    }

    byte[] message(long atNanos, long number) {
        byte[] message = payload.clone();
        ByteBuffer.wrap(message).putLong(atNanos).putLong(number);
        return message;
    }

    /** When a message was put. */
    static long atNanos(byte[] message) {
        return ByteBuffer.wrap(message).getLong();
    }
}
