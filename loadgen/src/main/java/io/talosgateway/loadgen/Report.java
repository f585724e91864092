package io.talosgateway.loadgen;

import org.jspecify.annotations.Nullable;

/**
 * What came of a run, as it is written to a file. Fields are only ever added.
 *
 * @param partitions how many partitions were used
 * @param putRate puts a second that were offered; null if each producer waited for its answers only
 * @param sizeBytes of a message
 * @param seconds how long requests counted, which is less than planned after an interruption
 * @param interrupted whether the run ended before its time
 * @param failure why it could not go on; null if it could
 * @param cpuMicrosPerRequest CPU time that the load generator itself took for a request of the window
 * @param put null without producers
 * @param get null without readers
 */
record Report(
        String endpoint,
        String topic,
        int partitions,
        int putThreads,
        int getThreads,
        @Nullable Integer putRate,
        int sizeBytes,
        boolean idempotencyKeys,
        long seed,
        double warmupSeconds,
        double seconds,
        boolean interrupted,
        @Nullable String failure,
        double cpuMicrosPerRequest,
        @Nullable Summary put,
        @Nullable Summary get) {

    /** Requests that were answered without an error, in the window. */
    long answered() {
        return (put == null ? 0 : put.count()) + (get == null ? 0 : get.count());
    }
}
