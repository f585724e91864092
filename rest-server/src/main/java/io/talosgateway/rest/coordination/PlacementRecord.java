package io.talosgateway.rest.coordination;

/** The cluster's placement, written by the controller by compare-and-set. Safe for use by any thread. */
public interface PlacementRecord {

    /** A placement and the version to replace it by. */
    record Versioned(Placement placement, int version) {}

    /** The version of a placement that was never written. */
    int ABSENT = -1;

    /** The placement, as far as is known here. Does not block. */
    Versioned current();

    /**
     * Replaces the placement if it still has that version. Blocks.
     *
     * @return false if somebody else was faster
     * @throws io.talosgateway.rest.errors.GatewayException {@code COORDINATION_UNAVAILABLE} if it is not certain
     */
    boolean replace(int expectedVersion, Placement placement);

    /** Has {@code listener} called, on a thread of the coordination, each time {@link #current} has changed. */
    void onChange(Runnable listener);
}
