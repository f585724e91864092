package io.talosgateway.benchmarks.ideal;

import org.jspecify.annotations.Nullable;

/**
 * One run of load against one server.
 *
 * @param durability null without storage
 * @param round from 1
 * @param errors requests that failed
 * @param serverCpuMicros CPU time per put of the server, of HDFS and of the load generator
 * @param times of the gateway only
 */
record Measurement(
        Variant variant,
        @Nullable String durability,
        int round,
        double putsPerSecond,
        double meanMs,
        double p99Ms,
        long errors,
        double serverCpuMicros,
        double hdfsCpuMicros,
        double loadCpuMicros,
        @Nullable PutTimes times) {

    /** What is measured. */
    enum Variant {
        /** A bare handler that answers at once: what the load generator and Jetty can do on this machine. */
        FLOOR,
        /** The same on the gateway's lanes: the ceiling for the gateway. */
        IDEAL,
        GATEWAY;

        String text() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }
    }
}
