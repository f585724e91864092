package io.talosgateway.benchmarks.scaling;

/** What ZooKeeper is asked for. For one thread. */
final class ZooKeeperUse {

    private long transactions;
    private long records;
    private long bytesWritten;
    private long reads;
    private long bytesRead;
    private long events;

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

    long transactions() {
        return transactions;
    }

    /** Nodes written. */
    long records() {
        return records;
    }

    long bytesWritten() {
        return bytesWritten;
    }

    long reads() {
        return reads;
    }

    long bytesRead() {
        return bytesRead;
    }

    long events() {
        return events;
    }
}
