package io.talosgateway.benchmarks.scaling;

import java.util.List;

/** The results in Markdown. Stateless. */
final class Tables {

    private static final double MB = 1e6;
    private static final double GB = 1e9;
    private static final double TB = 1e12;

    private Tables() {}

    static String moves(List<Scenario> scenarios) {
        StringBuilder table = new StringBuilder(
                "| | topics | partitions moved | needed | more than needed | most to one host | max / mean after | P99 / mean "
                        + "| worst topic, by its share | a host's map, ms |%n|---|---|---|---|---|---|---|---|---|---|%n"
                                .formatted());
        for (Scenario scenario : scenarios) {
            OwnershipState ownership = scenario.ownership();
            Assignment.Balance after = scenario.balance();
            table.append("| %s | %s | %,d | %,d | %.2f× | %,d | %.2f | %.2f | %.1f | %.0f |%n"
                    .formatted(
                            scenario.name(),
                            scenario.topics().name(),
                            ownership.moved(),
                            ownership.needed(),
                            ownership.needed() == 0 ? 1 : (double) ownership.moved() / ownership.needed(),
                            ownership.most(),
                            after.most(),
                            after.p99(),
                            after.worstTopic(),
                            scenario.mapMs()));
        }
        return table.toString();
    }

    static String zooKeeper(List<Scenario> scenarios, Costs costs) {
        StringBuilder table = new StringBuilder(
                "| | topics | transactions | nodes written | MB written | nodes read | GB read | watch events | /placement, bytes "
                        + "| ZooKeeper busy, s | journals of a partition, most | MB of all records |%n|---|---|---|---|---|---|---|---|---|---|---|---|%n"
                                .formatted());
        for (Scenario scenario : scenarios) {
            ZooKeeperUse use = scenario.zooKeeper();
            table.append("| %s | %s | %,d | %,d | %,.1f | %,d | %,.2f | %,d | %,d | %,.1f | %d | %,.0f |%n"
                    .formatted(
                            scenario.name(),
                            scenario.topics().name(),
                            use.transactions(),
                            use.records(),
                            use.bytesWritten() / MB,
                            use.reads(),
                            use.bytesRead() / GB,
                            use.events(),
                            scenario.placementBytes(),
                            costs.zooKeeperMs(use.transactions(), use.reads()) / 1000,
                            scenario.ownership().mostJournals(),
                            scenario.ownership().bytes() / MB));
        }
        return table.toString();
    }

    /**
     * Of one lost host and of several, under each load.
     *
     * @param beforeMs until the hosts know that they take over
     */
    static String takeOvers(List<Load> loads, int lost, double beforeMs, Costs costs) {
        StringBuilder table = new StringBuilder(
                "| hosts lost | messages a second | files of each journal | index files | NameNode calls: look | change "
                        + "| writes for claims | recoveries | MB that each host reads of each | MB of index in each host "
                        + "| until the placement is known, s | until all serve, s | with idempotency keys, s |"
                        + "%n|---|---|---|---|---|---|---|---|---|---|---|---|---|%n".formatted());
        for (Load load : loads) {
            for (int gone : new int[] {1, lost}) {
                int left = load.hosts() - gone;
                double taken = (double) load.partitions() / load.hosts() / left;
                LostJournal journal = LostJournal.of(load, taken, false);
                TakeOverRun.Result result = new TakeOverRun(costs, journal).run(gone, left);
                TakeOverRun.Result keyed = new TakeOverRun(costs, LostJournal.of(load, taken, true)).run(gone, left);
                table.append(
                        "| %d | %,.0f of %,d B, %d a put | %,d | %,d | %,d | %,d | %,d | %,d | %,.2f | %,.2f | %.1f | %,.1f | %,.1f |%n"
                                .formatted(
                                        gone,
                                        load.messages(),
                                        load.messageBytes(),
                                        load.messagesOfPut(),
                                        load.journalFiles(),
                                        journal.allIndexFiles(),
                                        result.nameNode().reads(),
                                        result.nameNode().writes(),
                                        result.claimWrites(),
                                        result.recoveries(),
                                        journal.indexBytes() / MB,
                                        load.takenIndexBytes(gone * taken) / MB,
                                        beforeMs / 1000,
                                        (beforeMs + result.lastMs()) / 1000,
                                        (beforeMs + keyed.lastMs()) / 1000));
            }
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
