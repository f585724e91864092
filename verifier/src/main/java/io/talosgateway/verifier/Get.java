package io.talosgateway.verifier;

import java.util.concurrent.TimeUnit;

/**
 * A get, and what came of it. Instants are nanoseconds since the run began.
 *
 * @param gateway which gateway was asked, from 0
 * @param timeoutMs what it was given, in {@code Talos-Timeout-Ms}
 */
record Get(int partition, From from, int gateway, long startNanos, long endNanos, int timeoutMs, GetAnswer answer) {

    /** How much later than its time it ended. */
    long lateNanos() {
        return endNanos - startNanos - TimeUnit.MILLISECONDS.toNanos(timeoutMs);
    }
}
