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
 * reads the footers of its files. All share one NameNode. For one thread.
 */
final class TakeOverRun {

    private static final double POLL_MS = 1000;
    private static final int MOST_POLLS = 20;
    /** Of the files of a journal; {@code FilesAtOnce}. */
    private static final int AT_ONCE = 8;

    /** Lock and lease, made and deleted; and for who waits, its place in the line. */
    private static final int WRITES_OF_CLAIM = 4;

    private static final int WRITES_OF_POLL = 2;

    private final Costs costs;
    private final NameNodeCalls recoverCalls;
    private final NameNodeCalls readCalls;
    private final double recoverMs;
    private final double readMs;

    private double nameNodeFreeMs;
    private NameNodeCalls nameNode = new NameNodeCalls(0, 0);
    private long claimWrites;
    private int recoveries;

    /**
     * @param lastMs until all partitions are served, from the new placement on
     * @param medianMs until a host in the middle serves what it took
     * @param recoveries times that a journal was recovered, once each at best
     */
    record Result(double lastMs, double medianMs, NameNodeCalls nameNode, long claimWrites, int recoveries) {}

    /**
     * @param files sealed files of each journal
     * @param footerBytes of each file
     * @param open files that were being written
     * @param scannedBytes of each open file
     */
    TakeOverRun(JournalCosts journal, Costs costs, long files, int open, double footerBytes, double scannedBytes) {
        this.costs = costs;
        recoverCalls = costs.nameNode(journal.first().calls(files, open));
        readCalls = costs.nameNode(journal.later().calls(files, open));
        readMs = turns(files + open) * costs.footerMs() + (files + open) * (1000 * footerBytes / costs.networkBytes());
        recoverMs = turns(open) * costs.fenceMs()
                + readMs
                + turns(open) * (1000 * scannedBytes / costs.scanBytesPerSecond())
                // A footer for each that was open, each forced, and the manifest.
                + (2 * turns(open) + 1) * costs.createMs();
    }

    private static double turns(long files) {
        return Math.ceil((double) files / AT_ONCE);
    }

    Result run(int lost, int hosts) {
        List<JournalId> journals = IntStream.range(0, lost)
                .mapToObj(number -> new JournalId(HostNames.of(number), 1))
                .toList();
        double[] recoveredAtMs = new double[lost];
        Arrays.fill(recoveredAtMs, Double.NaN);
        record Step(double atMs, int host, int done) {}
        PriorityQueue<Step> steps =
                new PriorityQueue<>(Comparator.comparingDouble(Step::atMs).thenComparingInt(Step::host));
        List<List<Integer>> orders = new ArrayList<>();
        for (int host = 0; host < hosts; host++) {
            orders.add(inOwnOrder(HostNames.of(lost + host), journals));
            steps.add(new Step(0, host, 0));
        }
        double[] endsMs = new double[hosts];
        while (!steps.isEmpty()) {
            Step step = steps.remove();
            if (step.done == lost) {
                endsMs[step.host] = step.atMs;
                continue;
            }
            int journal = orders.get(step.host).get(step.done);
            steps.add(new Step(take(journal, step.atMs, recoveredAtMs), step.host, step.done + 1));
        }
        Arrays.sort(endsMs);
        double recordsMs = 1000 * (hosts + claimWrites) / costs.zooKeeperTransactions();
        return new Result(
                endsMs[hosts - 1] + recordsMs, endsMs[hosts / 2] + recordsMs, nameNode, claimWrites, recoveries);
    }

    private static List<Integer> inOwnOrder(String host, List<JournalId> journals) {
        return IntStream.range(0, journals.size())
                .boxed()
                .sorted(Comparator.comparing(journals::get, RecoveryOrder.of(host)))
                .toList();
    }

    private double take(int journal, double atMs, double[] recoveredAtMs) {
        if (Double.isNaN(recoveredAtMs[journal])) {
            claimWrites += WRITES_OF_CLAIM;
            recoveredAtMs[journal] = recover(atMs);
            return recoveredAtMs[journal];
        }
        double waitMs = recoveredAtMs[journal] - atMs;
        if (waitMs <= 0) {
            return ask(readCalls, atMs, readMs);
        }
        int polls = (int) Math.ceil(waitMs / POLL_MS);
        claimWrites += (long) WRITES_OF_POLL * Math.min(polls, MOST_POLLS);
        return polls <= MOST_POLLS
                ? ask(readCalls, atMs + polls * POLL_MS, readMs)
                : recover(atMs + MOST_POLLS * POLL_MS);
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
