package io.talosgateway.loadgen.run;

import java.nio.ByteBuffer;
import java.util.Random;

import io.talosgateway.loadgen.plan.Queue;

/**
 * The first bytes of a message in a queue.
 *
 * @param atNanos when it was put, by this process's {@link System#nanoTime}
 * @param counts whether it was put after the warm-up
 */
record QueueStamp(long atNanos, boolean counts) {

    /** Bytes of a seed, the same in each message but for the stamp. */
    static byte[] payload(int size, long seed) {
        byte[] payload = new byte[Math.max(size, Queue.STAMP_BYTES)];
        new Random(seed).nextBytes(payload);
        return payload;
    }

    /** A message that is another one than those of other numbers. */
    byte[] message(byte[] payload, long number) {
        byte[] message = payload.clone();
        ByteBuffer.wrap(message).putLong(atNanos).putLong(counts ? number : ~number);
        return message;
    }

    static QueueStamp of(byte[] message) {
        ByteBuffer stamp = ByteBuffer.wrap(message);
        return new QueueStamp(stamp.getLong(), stamp.getLong() >= 0);
    }
}
