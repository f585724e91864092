package io.talosgateway.deploy;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;

/**
 * A message of the power cut test. Its bytes follow from the seed of the run and from what the message says of itself, so that
 * whoever reads it can tell whether it is what was put.
 *
 * <pre>
 * 0   4  writer
 * 4   4  number of the put, by its writer
 * 8   4  index in the put
 * 12  n  random bytes
 * </pre>
 */
record PowerCutMessage(int writer, int number, int index) {

    private static final int HEADER_BYTES = 12;

    /** Reads the header; null if the payload is too short for one. */
    static PowerCutMessage of(byte[] payload) {
        if (payload.length < HEADER_BYTES) {
            return null;
        }
        ByteBuffer header = ByteBuffer.wrap(payload);
        return new PowerCutMessage(header.getInt(), header.getInt(), header.getInt());
    }

    byte[] payload(long seed) {
        SplittableRandom random = new SplittableRandom(seed + writer * 1_000_003L + number * 10_007L + index);
        ByteBuffer payload = ByteBuffer.allocate(HEADER_BYTES + randomBytes(random));
        payload.putInt(writer).putInt(number).putInt(index);
        while (payload.remaining() >= Long.BYTES) {
            payload.putLong(random.nextLong());
        }
        while (payload.hasRemaining()) {
            payload.put((byte) random.nextInt());
        }
        return payload.array();
    }

    /** Mostly small, some larger than a page or a packet of HDFS, a few larger than many. */
    private static int randomBytes(SplittableRandom random) {
        int percent = random.nextInt(100);
        if (percent < 60) {
            return random.nextInt(200);
        }
        if (percent < 90) {
            return random.nextInt(4 << 10);
        }
        return percent < 99 ? random.nextInt(40 << 10) : random.nextInt(300 << 10);
    }
}
