package io.talosgateway.verifier;

/**
 * Which put: its writer and number, where it goes to, and how many messages it has.
 *
 * @param keyed whether it has an idempotency key; else it is sent once
 */
record Put(int writer, int number, int partition, int count, boolean keyed) {

    /** A put of one message, with a key. */
    static Put ofOne(int writer, int number, int partition) {
        return new Put(writer, number, partition, 1, true);
    }
}
