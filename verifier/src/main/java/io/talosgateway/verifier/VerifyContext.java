package io.talosgateway.verifier;

import java.util.function.LongSupplier;

import io.talosgateway.loadgen.http.Watch;

/**
 * What everybody in a run has in common.
 *
 * @param clock nanoseconds since the run began
 */
record VerifyContext(
        VerifyPlan plan,
        VerifiedCluster cluster,
        Namespace names,
        WrittenContent content,
        LongSupplier clock,
        Watch watch,
        GatewayChoice choice,
        KeyMemory keys,
        RunRecord books) {

    long nowNanos() {
        return clock.getAsLong();
    }
}
