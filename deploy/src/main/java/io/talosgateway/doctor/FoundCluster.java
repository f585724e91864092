package io.talosgateway.doctor;

import io.talosgateway.rest.coordination.zookeeper.ZooKeeperProbe;
import org.jspecify.annotations.Nullable;

/** What the check of ZooKeeper leaves for later ones. Safe for use by any thread. */
final class FoundCluster {

    private volatile boolean known;
    private volatile ZooKeeperProbe.@Nullable Cluster cluster;

    /** @param found null if there is no cluster yet */
    void set(ZooKeeperProbe.@Nullable Cluster found) {
        cluster = found;
        known = true;
    }

    /** Whether ZooKeeper has answered. */
    boolean isKnown() {
        return known;
    }

    /** Null if there is no cluster yet, or nothing is known. */
    ZooKeeperProbe.@Nullable Cluster cluster() {
        return cluster;
    }
}
