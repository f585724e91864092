package io.talosgateway.loadgen.experiment;

import java.util.Locale;

/** Where the servers of an experiment keep messages. */
enum StorageKind {
    /** A NameNode and DataNodes on this machine, in a process of their own, empty for each run. */
    HDFS,
    /** A folder on this machine's disk. */
    FILE;

    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
