package io.talosgateway.loadgen.verify;

import java.util.function.LongSupplier;

/**
 * What everybody in a run has in common.
 *
 * @param clock nanoseconds since the run began
 */
record VerifyContext(
        VerifyPlan plan,
        Cluster cluster,
        Namespace names,
        Content content,
        LongSupplier clock,
        Watch watch,
        GatewayChoice choice,
        KeyMemory keys,
        Books books) {

    long nowNanos() {
        return clock.getAsLong();
    }
}
