package io.talosgateway.benchmarks.scaling;

import java.util.Map;

/**
 * What single steps cost; docs/scaling-results.md says where each figure comes from.
 *
 * @param zooKeeperTransactions that an ensemble takes in a second
 * @param zooKeeperReads that it answers in a second
 * @param nameNodeReads calls that only look, which it answers in a second
 * @param nameNodeWrites calls that change something, which it answers in a second
 * @param reads for each call of the storage, calls to the NameNode that look
 * @param writes for each call of the storage, calls to the NameNode that change something
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
        Map<String, Integer> reads,
        Map<String, Integer> writes,
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

    NameNodeCalls nameNode(Map<String, Long> calls) {
        long looking = 0;
        long changing = 0;
        for (Map.Entry<String, Long> call : calls.entrySet()) {
            looking += call.getValue() * reads.getOrDefault(call.getKey(), 0);
            changing += call.getValue() * writes.getOrDefault(call.getKey(), 0);
        }
        return new NameNodeCalls(looking, changing);
    }

    /** How long the NameNode is busy with calls, ms. */
    double nameNodeMs(NameNodeCalls calls) {
        return 1000 * (calls.reads / nameNodeReads + calls.writes / nameNodeWrites);
    }
}
