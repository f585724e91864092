package io.talosgateway.rest.hosting;

import io.talosgateway.rest.journal.PartitionLog;
import io.talosgateway.rest.topic.TopicPartition;

/** A partition that this host serves. */
public final class HostedPartition {

    private final PartitionLog log;
    private final RecentPuts recentPuts;

    HostedPartition(PartitionLog log, RecentPuts recentPuts) {
        this.log = log;
        this.recentPuts = recentPuts;
    }

    public TopicPartition partition() {
        return log.partition();
    }

    public PartitionLog log() {
        return log;
    }

    /** False once it is being released. */
    boolean takesPuts() {
        return log.takesAppends();
    }

    public RecentPuts recentPuts() {
        return recentPuts;
    }
}
