package io.talosgateway.benchmarks.scaling;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.stream.IntStream;

import io.talosgateway.benchmarks.scaling.Costs.NameNodeCalls;
import io.talosgateway.rest.hosting.RecoveryOrder;
import io.talosgateway.rest.journal.JournalId;

/**
 * How long it takes until many hosts have taken over what lost hosts left: event by event, as {@code TakeOver} and the claims on
 * journals do it. Each host takes one journal after the other, in its own order. The first that comes to a journal recovers
 * it; whoever comes meanwhile looks once a second whether that is done, and after 20 s does it as well; whoever comes later
 * reads its index files. All share one NameNode, and whoever reads the same journal shares the DataNodes that have it. For one thread.
 */
final class TakeOverRun {

    private static final double POLL_MS = 1000;
    private static final int MOST_POLLS = 20;
    /** Of the files of a journal; {@code FilesAtOnce}. */
    private static final int AT_ONCE = 8;

    /** Names that the NameNode gives in one call. */
    private static final int LIST_PAGE = 1000;

    private static final int REPLICAS = 3;

    /** Lock and lease, made and deleted; and for who waits, its place in the line. */
    private static final int WRITES_OF_CLAIM = 4;

    private static final int WRITES_OF_POLL = 2;

    private final Costs costs;
    private final NameNodeCalls recoverCalls;
    private final NameNodeCalls readCalls;
    private final double recoverMs;
    private final double readMs;
    /** That the DataNodes of a journal are busy with each host which reads its index. */
    private final double sharedMs;

    private double nameNodeFreeMs;
    private NameNodeCalls nameNode = new NameNodeCalls(0, 0);
    private long claimWrites;
    private int recoveries;

    /**
     * @param lastMs until all partitions are served, from the new placement on
     * @param recoveries times that a journal was recovered, once each at best
     */
    record Result(double lastMs, NameNodeCalls nameNode, long claimWrites, int recoveries) {}

    TakeOverRun(Costs costs, LostJournal lost) {
        this.costs = costs;
        NameNodeCalls keyed = new NameNodeCalls(lost.keyedFiles(), 0);
        long pages = 1 + lost.names() / LIST_PAGE;
        recoverCalls = Costs.ofRecovery(lost.indexFiles(), lost.looseFiles(), lost.lanes())
                .plus(new NameNodeCalls(pages - 1, 0))
                .plus(keyed);
        readCalls = Costs.ofReading(lost.indexFiles(), lost.lanes()).plus(keyed);
        readMs = turns(lost.allIndexFiles()) * costs.footerMs()
                + turns(lost.keyedFiles()) * costs.footerMs()
                + costs.receiveMs(lost.indexBytes() + lost.keyedBytes());
        // Each host reads as many files at once, of DataNodes of their own; those with keys are only of its lane.
        sharedMs = costs.receiveMs(lost.indexBytes()) / REPLICAS / Math.min(AT_ONCE, lost.allIndexFiles())
                + costs.receiveMs(lost.keyedBytes())
                        / REPLICAS
                        / lost.lanes()
                        / Math.max(1, Math.min(AT_ONCE, lost.keyedFiles()));
        long unknown = lost.looseFiles() + lost.lanes();
        recoverMs = pages * costs.footerMs()
                + turns(lost.indexFiles()) * costs.footerMs()
                // A file that is closed is asked for in one call.
                + turns(lost.looseFiles()) * costs.footerMs()
                + turns(lost.lanes()) * costs.fenceMs()
                + turns(unknown) * costs.footerMs()
                + costs.receiveMs(unknown * lost.footerBytes())
                + turns(lost.lanes()) * costs.scanMs(lost.scannedBytes())
                // A footer for each that was open, each forced; an index file for each lane, and the manifest.
                + (2 * turns(lost.lanes()) + lost.lanes() + 1) * costs.createMs()
                + readMs;
    }

    private static double turns(long files) {
        return Math.ceil((double) files / AT_ONCE);
    }

    Result run(int lost, int hosts) {
        List<JournalId> journals = IntStream.range(0, lost)
                .mapToObj(number -> new JournalId(Scenario.hostName(number), 1))
                .toList();
        double[] recoveredAtMs = new double[lost];
        Arrays.fill(recoveredAtMs, Double.NaN);
        double[] journalFreeMs = new double[lost];
        record Step(double atMs, int host, int done) {}
        PriorityQueue<Step> steps =
                new PriorityQueue<>(Comparator.comparingDouble(Step::atMs).thenComparingInt(Step::host));
        List<List<Integer>> orders = new ArrayList<>();
        for (int host = 0; host < hosts; host++) {
            orders.add(inOwnOrder(Scenario.hostName(lost + host), journals));
            steps.add(new Step(0, host, 0));
        }
        double lastMs = 0;
        while (!steps.isEmpty()) {
            Step step = steps.remove();
            if (step.done == lost) {
                lastMs = Math.max(lastMs, step.atMs);
                continue;
            }
            int journal = orders.get(step.host).get(step.done);
            steps.add(new Step(take(journal, step.atMs, recoveredAtMs, journalFreeMs), step.host, step.done + 1));
        }
        double recordsMs = costs.zooKeeperMs(hosts + claimWrites, 0);
        return new Result(lastMs + recordsMs, nameNode, claimWrites, recoveries);
    }

    private static List<Integer> inOwnOrder(String host, List<JournalId> journals) {
        return IntStream.range(0, journals.size())
                .boxed()
                .sorted(Comparator.comparing(journals::get, RecoveryOrder.of(host)))
                .toList();
    }

    private double take(int journal, double atMs, double[] recoveredAtMs, double[] journalFreeMs) {
        if (Double.isNaN(recoveredAtMs[journal])) {
            claimWrites += WRITES_OF_CLAIM;
            recoveredAtMs[journal] = recover(atMs);
            return recoveredAtMs[journal];
        }
        double waitMs = recoveredAtMs[journal] - atMs;
        if (waitMs <= 0) {
            return read(journal, atMs, journalFreeMs);
        }
        int polls = (int) Math.ceil(waitMs / POLL_MS);
        claimWrites += (long) WRITES_OF_POLL * Math.min(polls, MOST_POLLS);
        // It asks each time whether the journal is recovered.
        nameNode = nameNode.plus(new NameNodeCalls(Math.min(polls, MOST_POLLS), 0));
        return polls <= MOST_POLLS
                ? read(journal, atMs + polls * POLL_MS, journalFreeMs)
                : recover(atMs + MOST_POLLS * POLL_MS);
    }

    private double read(int journal, double atMs, double[] journalFreeMs) {
        journalFreeMs[journal] = Math.max(journalFreeMs[journal], atMs) + sharedMs;
        return Math.max(journalFreeMs[journal], ask(readCalls, atMs, readMs));
    }

    private double recover(double atMs) {
        recoveries++;
        return ask(recoverCalls, atMs, recoverMs);
    }

    /** @return when it is done: by the host, one call after the other, and by the NameNode, which answers all in turn */
    private double ask(NameNodeCalls calls, double atMs, double alone) {
        nameNode = nameNode.plus(calls);
        nameNodeFreeMs = Math.max(nameNodeFreeMs, atMs) + costs.nameNodeMs(calls);
        return Math.max(atMs + alone, nameNodeFreeMs);
    }
}
