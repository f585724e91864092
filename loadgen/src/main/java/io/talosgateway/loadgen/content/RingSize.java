package io.talosgateway.loadgen.content;

import io.talosgateway.loadgen.cli.LoadFailure;

/** How many bodies are made ready. Stateless. */
final class RingSize {

    /** Of bodies that take no memory of their own. */
    static final int WITHOUT_BYTES = 1_000;

    static final int MOST = 10_000;

    /** All alike, but for their bytes. */
    private static final int ALIKE = 16;

    /** Of different sizes: enough for a weight of a hundredth. */
    private static final int OF_SIZES = 200;

    /** JSON, and what does not compress, are a little larger than their messages. */
    private static final double OVERHEAD = 1.2;

    private static final int ENVELOPE_BYTES = 128;

    private RingSize() {}

    /**
     * Enough for all keys and sizes, and fewer only if nothing is lost by it.
     *
     * @throws LoadFailure if there is not enough memory for those
     */
    static int of(Content content, long memoryBytes) {
        long bytes = (long) (OVERHEAD * content.meanPayload()) + (long) ENVELOPE_BYTES * content.batch();
        long forKeys = (content.keys() + content.batch() - 1L) / content.batch();
        long forSizes = content.sizes().isFixed() ? 1 : Math.max(1, OF_SIZES / content.batch());
        long needed = Math.max(forKeys, forSizes);
        if (needed > MOST || needed * bytes > memoryBytes) {
            throw Bodies.tooLittleMemory(needed * bytes);
        }
        return (int) Math.max(needed, Math.min(ALIKE, memoryBytes / bytes));
    }
}
