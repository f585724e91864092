package io.talosgateway.benchmarks.scaling;

/**
 * What single steps cost; docs/scaling-results.md says where each figure comes from.
 *
 * @param zooKeeperTransactions that an ensemble takes in a second
 * @param zooKeeperReads that it answers in a second
 * @param nameNodeReads calls that only look, which it answers in a second
 * @param nameNodeWrites calls that change something, which it answers in a second
 * @param networkBytes that a host receives in a second
 * @param footerMs to open a file and read its footer, when nothing else is done
 * @param fenceMs to recover the lease of a file
 * @param createMs to make a small file, forced to disk
 * @param scanBytesPerSecond at which a file without a footer is read through
 */
record Costs(
        double zooKeeperTransactions,
        double zooKeeperReads,
        double nameNodeReads,
        double nameNodeWrites,
        double networkBytes,
        double footerMs,
        double fenceMs,
        double createMs,
        double scanBytesPerSecond) {

    /** Calls to the NameNode. */
    record NameNodeCalls(long reads, long writes) {

        NameNodeCalls plus(NameNodeCalls other) {
            return new NameNodeCalls(reads + other.reads, writes + other.writes);
        }
    }

    /**
     * Of the host that recovers a lost journal. {@code TakeOverCostTest} of {@code rest-server} checks the calls that these are the
     * sum of; a new small file and the end of an open one are one call that looks and five that change something.
     *
     * @param looseFiles sealed files that are in no index file
     */
    static NameNodeCalls ofRecovery(long indexFiles, long looseFiles, long lanes) {
        return new NameNodeCalls(4 + 2 * indexFiles + 2 * looseFiles + 7 * lanes, 6 + 15 * lanes);
    }

    /** Of each host that comes later: it reads the index files, those that the first has made too. */
    static NameNodeCalls ofReading(long indexFiles, long lanes) {
        return new NameNodeCalls(2 + indexFiles + lanes, 0);
    }

    /** How long the NameNode is busy with calls, ms. */
    double nameNodeMs(NameNodeCalls calls) {
        return 1000 * (calls.reads / nameNodeReads + calls.writes / nameNodeWrites);
    }
}
