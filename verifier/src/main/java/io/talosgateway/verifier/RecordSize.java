package io.talosgateway.verifier;

import io.talosgateway.loadgen.cli.LoadFailure;

/** How much of a run fits into memory. Stateless. */
final class RecordSize {

    /**
     * For an attempt, with its share of what the check makes of it: the attempt (40), its put (39, and as much again for a
     * moment when the table grows), and its messages, one and a half in the mean (8 each).
     */
    static final int BYTES_OF_AN_ATTEMPT = 136;

    private static final long LEAST_ATTEMPTS = 10_000;
    private static final long OF_THE_PROGRAM_BYTES = 64L << 20;
    private static final long OF_A_READER_BYTES = 1 << 20;

    private RecordSize() {}

    /** What is left of the heap for the record. */
    static long memoryBytes(long heapBytes, VerifyPlan plan) {
        return heapBytes - OF_THE_PROGRAM_BYTES - (long) plan.readers() * plan.partitions() * OF_A_READER_BYTES;
    }

    /**
     * How many attempts can be kept.
     *
     * @throws LoadFailure if that is next to nothing
     */
    static long attempts(long memoryBytes) {
        long attempts = memoryBytes / BYTES_OF_AN_ATTEMPT;
        if (attempts < LEAST_ATTEMPTS) {
            throw new LoadFailure("There is too little memory for the record of what was answered; give more, as in "
                    + "TALOS_LOADGEN_JAVA_OPTS=-Xmx512m, or have fewer readers or partitions");
        }
        return attempts;
    }
}
