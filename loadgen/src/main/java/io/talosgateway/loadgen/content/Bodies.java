package io.talosgateway.loadgen.content;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import io.talosgateway.loadgen.cli.LoadFailure;
import org.jspecify.annotations.Nullable;

/**
 * What producers put, made ready before the run, so that a put costs next to nothing: a ring of bodies that all producers go
 * through, each from a place of its own. For the Thrift interface, a body is a block of messages.
 *
 * <p>Raw messages are random bytes that do not compress and that all bodies share, but for a stamp of up to {@value
 * #MAX_STAMP_BYTES} bytes in front that makes every message of a run another one: the producer's number and the number of its
 * put, big-endian; of a smaller message, their last bytes. Messages that are text or compressed have no stamp: those of the
 * ring are put again and again. Safe for use by any thread.
 */
public final class Bodies {

    static final int MAX_STAMP_BYTES = 16;

    /** How many bodies there are if they take no memory of their own. */
    private static final int WITHOUT_BYTES = 1_000;

    private static final int MOST = 10_000;

    /** How many there are of bodies that are all alike, but for their bytes. */
    private static final int ALIKE = 16;

    /** Of different sizes: enough for a weight of a hundredth. */
    private static final int OF_SIZES = 200;

    /** JSON, and what does not compress, are a little larger than their messages. */
    private static final double OVERHEAD = 1.2;

    private static final int ENVELOPE_BYTES = 128;

    /** Makes two producers that begin together send different bodies. */
    private static final int STRIDE = 37;

    /**
     * A body.
     *
     * @param from where its bytes begin
     * @param length of its bytes, the stamp not among them
     * @param payload bytes of its messages
     * @param key of its only message, for what is not written into the body; null for none
     */
    public record Body(
            int from,
            int length,
            int stampBytes,
            int messages,
            int payload,
            @Nullable String key) {

        public int bytes() {
            return stampBytes + length;
        }
    }

    private final ByteBuffer bytes;
    private final List<Body> ring;

    private Bodies(ByteBuffer bytes, List<Body> ring) {
        this.bytes = bytes;
        this.ring = ring;
    }

    /**
     * Makes them ready.
     *
     * @param memoryBytes how much they may take
     * @throws LoadFailure with a sentence for the user if that is not enough
     */
    public static Bodies of(Content content, long memoryBytes) {
        return content.format() == Format.RAW && content.compression() == MessageCompression.NONE
                ? stamped(content, memoryBytes)
                : written(content, memoryBytes);
    }

    private static Bodies stamped(Content content, long memoryBytes) {
        int greatest = content.sizes().greatest();
        if (greatest > memoryBytes) {
            throw tooLittleMemory(greatest);
        }
        byte[] random = new byte[greatest - Math.min(MAX_STAMP_BYTES, greatest)];
        new Random(content.seed()).nextBytes(random);
        int count = Math.max(WITHOUT_BYTES, Math.min(content.keys(), MOST));
        List<Integer> sizes = content.sizes().take(count, content.seed());
        List<Body> ring = new ArrayList<>();
        for (int number = 0; number < count; number++) {
            int size = sizes.get(number);
            int stamp = Math.min(MAX_STAMP_BYTES, size);
            ring.add(new Body(0, size - stamp, stamp, 1, size, key(content, number)));
        }
        return new Bodies(ByteBuffer.allocateDirect(random.length).put(random).clear(), ring);
    }

    private static Bodies written(Content content, long memoryBytes) {
        int count = count(content, memoryBytes);
        BodyWriter writer = BodyWriter.of(content);
        List<Integer> sizes = content.sizes().take(count * content.batch(), content.seed());
        List<byte[]> all = new ArrayList<>();
        List<Body> ring = new ArrayList<>();
        int from = 0;
        for (int number = 0; number < count; number++) {
            int first = number * content.batch();
            List<Integer> ofBody = sizes.subList(first, first + content.batch());
            byte[] body = writer.write(ofBody, message -> key(content, first + message));
            all.add(body);
            ring.add(new Body(
                    from,
                    body.length,
                    0,
                    content.batch(),
                    ofBody.stream().mapToInt(Integer::intValue).sum(),
                    key(content, number)));
            from = Math.addExact(from, body.length);
        }
        ByteBuffer bytes = ByteBuffer.allocateDirect(from);
        all.forEach(bytes::put);
        return new Bodies(bytes.clear(), ring);
    }

    /**
     * How many bodies are written: enough for all keys and sizes, and more if there is room.
     *
     * @throws LoadFailure if there is not enough memory for those
     */
    private static int count(Content content, long memoryBytes) {
        long bytes = (long) (OVERHEAD * content.meanPayload()) + (long) ENVELOPE_BYTES * content.batch();
        long forKeys = (content.keys() + content.batch() - 1L) / content.batch();
        long forSizes = content.sizes().isFixed() ? 1 : Math.max(1, OF_SIZES / content.batch());
        long needed = Math.max(forKeys, forSizes);
        if (needed > MOST || needed * bytes > memoryBytes) {
            throw tooLittleMemory(needed * bytes);
        }
        return (int) Math.max(needed, Math.min(ALIKE, memoryBytes / bytes));
    }

    private static @Nullable String key(Content content, int message) {
        return content.keys() == 0 ? null : "key-" + message % content.keys();
    }

    private static LoadFailure tooLittleMemory(long bytes) {
        return new LoadFailure(
                ("The bodies to put would take %,d MiB: give the load generator more memory (TALOS_LOADGEN_JAVA_OPTS=-Xmx4g), "
                                + "or use smaller messages, batches or fewer keys.")
                        .formatted((bytes >> 20) + 1));
    }

    public int count() {
        return ring.size();
    }

    /** Which body a producer puts at its so many-th put. */
    public int slot(long producer, long put) {
        return (int) Math.floorMod(producer * STRIDE + put, (long) ring.size());
    }

    public Body body(int slot) {
        return ring.get(slot);
    }

    /** All bodies; a buffer of the caller's own. */
    public ByteBuffer bytes() {
        return bytes.duplicate();
    }

    /** Writes the stamp of a body, if it has one. */
    public static void stamp(Body body, ByteBuffer to, long producer, long put) {
        for (int number = body.stampBytes - 1; number >= 0; number--) {
            long word = number < Long.BYTES ? put : producer;
            to.put((byte) (word >>> (8 * (number % Long.BYTES))));
        }
    }
}
