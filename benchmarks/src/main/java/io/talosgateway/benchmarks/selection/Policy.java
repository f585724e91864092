package io.talosgateway.benchmarks.selection;

import io.talosgateway.scheduler.PlacementPolicy;

/** What is compared. */
enum Policy {
    HASH,
    LEAST_LOADED;

    /** As the configuration has it. */
    String text() {
        return this == HASH ? "hash" : "least-loaded";
    }

    PlacementPolicy placement() {
        return this == HASH ? PlacementPolicy.HASH : PlacementPolicy.LEAST_LOADED;
    }
}
