package io.talosgateway.benchmarks.scaling;

import picocli.CommandLine.Option;

/** What single steps cost, as options; docs/scaling-results.md says where each figure comes from. */
final class Costs {

    @Option(
            names = "--zookeeper-writes",
            paramLabel = "N",
            defaultValue = "18000",
            description = "Transactions that ZooKeeper takes in a second. Default: ${DEFAULT-VALUE}.")
    private double zooKeeperWrites;

    @Option(
            names = "--zookeeper-reads",
            paramLabel = "N",
            defaultValue = "165000",
            description = "That it answers in a second. Default: ${DEFAULT-VALUE}.")
    private double zooKeeperReads;

    @Option(
            names = "--namenode-reads",
            paramLabel = "N",
            defaultValue = "126000",
            description = "Calls that look, which the NameNode answers in a second. Default: ${DEFAULT-VALUE}.")
    private double nameNodeReads;

    @Option(
            names = "--namenode-writes",
            paramLabel = "N",
            defaultValue = "5600",
            description = "Calls that change something. Default: ${DEFAULT-VALUE}.")
    private double nameNodeWrites;

    @Option(
            names = "--network-mb",
            paramLabel = "N",
            defaultValue = "1000",
            description = "Megabytes that a host receives in a second. Default: ${DEFAULT-VALUE}.")
    private double networkMegabytes;

    @Option(
            names = "--footer-ms",
            paramLabel = "MS",
            defaultValue = "3",
            description = "To open a file and read its footer. Default: ${DEFAULT-VALUE}.")
    private double footerMs;

    @Option(
            names = "--fence-ms",
            paramLabel = "MS",
            defaultValue = "3000",
            description = "To recover the lease of a file. Default: ${DEFAULT-VALUE}.")
    private double fenceMs;

    @Option(
            names = "--create-ms",
            paramLabel = "MS",
            defaultValue = "20",
            description = "To make a small file. Default: ${DEFAULT-VALUE}.")
    private double createMs;

    @Option(
            names = "--scan-mb",
            paramLabel = "N",
            defaultValue = "200",
            description = "Megabytes of a file without footer read in a second. Default: ${DEFAULT-VALUE}.")
    private double scanMegabytes;

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

    /** How long the NameNode is busy with calls. */
    double nameNodeMs(NameNodeCalls calls) {
        return 1000 * (calls.reads / nameNodeReads + calls.writes / nameNodeWrites);
    }

    /** How long ZooKeeper is busy. */
    double zooKeeperMs(long transactions, long reads) {
        return 1000 * (transactions / zooKeeperWrites + reads / zooKeeperReads);
    }

    /** Until a host has received so much. */
    double receiveMs(double bytes) {
        return bytes / 1000 / networkMegabytes;
    }

    /** Until a file without a footer is read through. */
    double scanMs(double bytes) {
        return bytes / 1000 / scanMegabytes;
    }

    /** To open a file and read its footer, when nothing else is done. */
    double footerMs() {
        return footerMs;
    }

    /** To recover the lease of a file. */
    double fenceMs() {
        return fenceMs;
    }

    /** To make a small file, forced to disk. */
    double createMs() {
        return createMs;
    }
}
