package io.talosgateway.verifier;

/**
 * Which put: its writer and number, both from 0, where it goes to, and how many messages it has.
 *
 * @param keyed whether it has an idempotency key; else it is sent once
 */
record Put(int writer, int number, int partition, int count, boolean keyed) {

    /** A put of one message, with a key. */
    static Put ofOne(int writer, int number, int partition) {
        return new Put(writer, number, partition, 1, true);
    }

    @Override
    public String toString() {
        return toString(writer, number, partition);
    }

    static String toString(int writer, int number, int partition) {
        return "put %d of writer %d to partition %d".formatted(number, writer, partition);
    }
}
