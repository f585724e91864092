package io.talosgateway.benchmarks.scaling;

/** What ZooKeeper is asked for. For one thread. */
final class ZooKeeperUse {

    long transactions;
    /** Nodes that these write. */
    long records;

    long bytesWritten;
    /** Nodes read. */
    long reads;

    long bytesRead;
    /** That tell who watches of a change. */
    long events;

    /** A transaction that writes so many nodes. */
    void write(int nodes, long bytes) {
        transactions++;
        records += nodes;
        bytesWritten += bytes;
    }

    void read(long nodes, long bytes) {
        reads += nodes;
        bytesRead += bytes;
    }

    /** Each of the readers hears of a change, and reads what it has become. */
    void watched(int readers, long bytesEach) {
        events += readers;
        if (bytesEach > 0) {
            read(readers, readers * bytesEach);
        }
    }
}
