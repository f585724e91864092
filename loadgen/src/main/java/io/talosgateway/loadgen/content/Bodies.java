package io.talosgateway.loadgen.content;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

import io.talosgateway.loadgen.cli.LoadFailure;

/**
 * What producers put, made ready before the run, so that a put costs next to nothing: a ring of bodies that all producers go
 * through, each from a place of its own. For the Thrift interface, a body is a block of messages.
 * Messages are random bytes that do not compress, or text; those of the ring are put again and again. Safe for use by any thread.
 */
public final class Bodies {

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
     * @param length of its bytes
     * @param payload bytes of its messages
     */
    public record Body(int from, int length, int messages, int payload) {}

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
        int count = count(content, memoryBytes);
        BodyWriter writer = BodyWriter.of(content);
        List<Integer> sizes = content.sizes().take(count * content.batch(), content.seed());
        List<byte[]> all = new ArrayList<>();
        List<Body> ring = new ArrayList<>();
        int from = 0;
        for (int number = 0; number < count; number++) {
            int first = number * content.batch();
            List<Integer> ofBody = sizes.subList(first, first + content.batch());
            byte[] body = writer.write(ofBody);
            all.add(body);
            ring.add(new Body(
                    from,
                    body.length,
                    content.batch(),
                    ofBody.stream().mapToInt(Integer::intValue).sum()));
            from = Math.addExact(from, body.length);
        }
        ByteBuffer bytes = ByteBuffer.allocateDirect(from);
        all.forEach(bytes::put);
        return new Bodies(bytes.clear(), ring);
    }

    /**
     * How many bodies are written: enough for all sizes, and more if there is room.
     *
     * @throws LoadFailure if there is not enough memory for those
     */
    private static int count(Content content, long memoryBytes) {
        long bytes = (long) (OVERHEAD * content.meanPayload()) + (long) ENVELOPE_BYTES * content.batch();
        long needed = content.sizes().isFixed() ? 1 : Math.max(1, OF_SIZES / content.batch());
        if (needed > MOST || needed * bytes > memoryBytes) {
            throw tooLittleMemory(needed * bytes);
        }
        return (int) Math.max(needed, Math.min(ALIKE, memoryBytes / bytes));
    }

    private static LoadFailure tooLittleMemory(long bytes) {
        return new LoadFailure(
                ("The bodies to put would take %,d MiB: give the load generator more memory (TALOS_LOADGEN_JAVA_OPTS=-Xmx4g), "
                                + "or use smaller messages or batches.")
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
}
