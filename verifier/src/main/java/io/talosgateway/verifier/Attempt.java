package io.talosgateway.verifier;

/**
 * A request to put, and what came of it. Instants are nanoseconds since the run began.
 *
 * @param writer whose put, from 0
 * @param number which of the writer's puts, from 0
 * @param partition where to
 * @param count messages in it
 * @param gateway which gateway was asked, from 0
 * @param timeoutMs what it was given, in {@code Talos-Timeout-Ms}
 */
record Attempt(
        int writer,
        int number,
        int partition,
        int count,
        int gateway,
        long startNanos,
        long endNanos,
        int timeoutMs,
        PutAnswer answer) {

    String put() {
        return "put %d of writer %d to partition %d".formatted(number, writer, partition);
    }
}
