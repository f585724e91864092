package io.talosgateway.benchmarks.scaling;

import java.util.List;

/** The results in Markdown. Stateless. */
final class Tables {

    private static final double MB = 1e6;
    private static final double GB = 1e9;
    private static final double TB = 1e12;

    private Tables() {}

    static String moves(List<Outcome> outcomes) {
        StringBuilder table = new StringBuilder(
                "| | topics | partitions moved | needed | more than needed | most to one host | max / mean after | P99 / mean "
                        + "| worst topic, by its share | a host's map, ms |%n|---|---|---|---|---|---|---|---|---|---|%n"
                                .formatted());
        for (Outcome outcome : outcomes) {
            table.append("| %s | %s | %,d | %,d | %.2f× | %,d | %.2f | %.2f | %.1f | %.0f |%n"
                    .formatted(
                            outcome.scenario(),
                            outcome.topics(),
                            outcome.moved(),
                            outcome.needed(),
                            outcome.needed() == 0 ? 1 : (double) outcome.moved() / outcome.needed(),
                            outcome.most(),
                            outcome.after().most(),
                            outcome.after().p99(),
                            outcome.after().worstTopic(),
                            outcome.mapMs()));
        }
        return table.toString();
    }

    static String zooKeeper(List<Outcome> outcomes, Costs costs) {
        StringBuilder table = new StringBuilder(
                "| | topics | transactions | nodes written | MB written | nodes read | GB read | watch events | /placement, bytes "
                        + "| ZooKeeper busy, s | journals of a partition, most | MB of all records |%n|---|---|---|---|---|---|---|---|---|---|---|---|%n"
                                .formatted());
        for (Outcome outcome : outcomes) {
            ZooKeeperUse use = outcome.zooKeeper();
            table.append("| %s | %s | %,d | %,d | %,.1f | %,d | %,.2f | %,d | %,d | %,.1f | %d | %,.0f |%n"
                    .formatted(
                            outcome.scenario(),
                            outcome.topics(),
                            use.transactions(),
                            use.records(),
                            use.bytesWritten() / MB,
                            use.reads(),
                            use.bytesRead() / GB,
                            use.events(),
                            outcome.placementBytes(),
                            use.transactions() / costs.zooKeeperTransactions() + use.reads() / costs.zooKeeperReads(),
                            outcome.journals(),
                            outcome.recordBytes() / MB));
        }
        return table.toString();
    }

    /**
     * A row of the table of take-overs: so many lost, with so many files each.
     *
     * @param indexBytes memory of each host for what it has taken
     * @param keyed the same where puts have idempotency keys
     */
    record TakeOver(
            int lost,
            Load load,
            LostJournal journal,
            double beforeMs,
            double indexBytes,
            TakeOverRun.Result result,
            TakeOverRun.Result keyed) {}

    static String takeOvers(List<TakeOver> runs) {
        StringBuilder table = new StringBuilder(
                "| hosts lost | messages a second | files of each journal | index files | NameNode calls: look | change "
                        + "| writes for claims | recoveries | MB that each host reads of each | MB of index in each host "
                        + "| until the placement is known, s | until all serve, s | with idempotency keys, s |"
                        + "%n|---|---|---|---|---|---|---|---|---|---|---|---|---|%n".formatted());
        for (TakeOver run : runs) {
            TakeOverRun.Result result = run.result();
            table.append(
                    "| %d | %,.0f of %,d B, %d a put | %,d | %,d | %,d | %,d | %,d | %,d | %,.2f | %,.2f | %.1f | %,.1f | %,.1f |%n"
                            .formatted(
                                    run.lost(),
                                    run.load().messages(),
                                    run.load().messageBytes(),
                                    run.load().messagesOfPut(),
                                    run.load().journalFiles(),
                                    run.journal().allIndexFiles(),
                                    result.nameNode().reads(),
                                    result.nameNode().writes(),
                                    result.claimWrites(),
                                    result.recoveries(),
                                    run.journal().indexBytes() / MB,
                                    run.indexBytes() / MB,
                                    run.beforeMs() / 1000,
                                    (run.beforeMs() + result.lastMs()) / 1000,
                                    (run.beforeMs() + run.keyed().lastMs()) / 1000));
        }
        return table.toString();
    }

    static String loads(List<Load> loads) {
        StringBuilder table = new StringBuilder(
                "| messages a second | message | messages a put | puts/s of a host | of a lane | cores busy of a host | MB/s into a host | TB on disks, "
                        + "a day | files of a host, a day | files and blocks | NameNode changes/s | a footer, KB | GB of index of its own journal "
                        + "| GB when all that it serves was taken over |%n|---|---|---|---|---|---|---|---|---|---|---|---|---|---|%n"
                                .formatted());
        for (Load load : loads) {
            table.append(
                    "| %,.0f | %,d B | %d | %,.0f | %,.0f | %.1f | %,.0f | %,.0f | %,d | %,.1f M | %,.0f | %,.0f | %.2f | %.2f |%n"
                            .formatted(
                                    load.messages(),
                                    load.messageBytes(),
                                    load.messagesOfPut(),
                                    load.puts() / load.hosts(),
                                    load.putsOfLane(),
                                    load.coresOfHost(),
                                    load.bytesInOfHost() / MB,
                                    load.bytesOnDisks() / TB,
                                    load.journalFiles(),
                                    load.objects() / MB,
                                    load.nameNodeWrites(),
                                    load.footerBytes() / 1000,
                                    load.ownIndexBytes() / GB,
                                    load.takenIndexBytes((double) load.partitions() / load.hosts()) / GB));
        }
        return table.toString();
    }
}
