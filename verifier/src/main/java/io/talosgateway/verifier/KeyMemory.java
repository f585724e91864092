package io.talosgateway.verifier;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Which puts may still be repeated. Gateways remember a bounded number of keys ({@code idempotency.max-per-partition}, 10,000,
 * and {@code idempotency.max-total}, 200,000): a repeat that comes after more puts than that is stored again, as documented. So
 * puts are repeated long before. What other topics of the last {@code idempotency.max-age} have put is not known here. Safe for
 * use by any thread.
 */
final class KeyMemory {

    private static final long MOST_OF_A_PARTITION = 4_000;
    private static final long MOST_IN_TOTAL = 80_000;

    private final AtomicLongArray begun;
    private final long most;

    KeyMemory(int partitions) {
        begun = new AtomicLongArray(partitions);
        most = Math.max(1, Math.min(MOST_OF_A_PARTITION, MOST_IN_TOTAL / partitions));
    }

    /** A put begins; gives what {@link #remembers} wants to know. */
    long begin(int partition) {
        return begun.incrementAndGet(partition);
    }

    /** Whether a put that began then may be repeated. */
    boolean remembers(int partition, long begunAs) {
        return begun.get(partition) - begunAs < most;
    }
}
