package io.talosgateway.verifier;

/**
 * A request to put, and what came of it. Instants are nanoseconds since the run began.
 *
 * @param gateway which gateway was asked, from 0
 * @param timeoutMs what it was given, in {@code Talos-Timeout-Ms}
 */
record Attempt(Put put, int gateway, long startNanos, long endNanos, int timeoutMs, PutAnswer answer) {}
