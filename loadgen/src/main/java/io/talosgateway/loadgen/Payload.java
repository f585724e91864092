package io.talosgateway.loadgen;

import java.nio.ByteBuffer;
import java.util.Random;

/**
 * What producers put: random bytes, which do not compress, but for a stamp of up to {@value #MAX_STAMP_BYTES} bytes in front
 * that makes every message of a run another one: the producer's number and the number of its put, big-endian; of a smaller
 * message, their last bytes. All producers share the random bytes. Safe for use by any thread.
 */
final class Payload {

    static final int MAX_STAMP_BYTES = 16;

    private final int size;
    private final ByteBuffer random;

    /** @param size bytes of a message */
    Payload(int size, long seed) {
        this.size = size;
        byte[] bytes = new byte[size - stampBytes()];
        new Random(seed).nextBytes(bytes);
        this.random = ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
    }

    int size() {
        return size;
    }

    int stampBytes() {
        return Math.min(MAX_STAMP_BYTES, size);
    }

    /** What follows the stamp; a buffer of the caller's own. */
    ByteBuffer afterStamp() {
        return random.duplicate();
    }

    /** Writes the stamp at an index. */
    void stamp(ByteBuffer buffer, int index, long producer, long put) {
        for (int number = 0; number < stampBytes(); number++) {
            long word = number < Long.BYTES ? put : producer;
            buffer.put(index + stampBytes() - 1 - number, (byte) (word >>> (8 * (number % Long.BYTES))));
        }
    }
}
