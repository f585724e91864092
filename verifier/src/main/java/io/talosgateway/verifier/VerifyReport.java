package io.talosgateway.verifier;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

import io.talosgateway.loadgen.cli.LoadFailure;
import io.talosgateway.verifier.Periods.Period;
import org.jspecify.annotations.Nullable;

/**
 * What came of a run, as it is written to a file. Fields are only ever added.
 *
 * @param verdict {@code GOOD} or {@code BAD}
 * @param seconds how long there was load
 * @param interrupted whether the run ended before its time
 * @param recordFull whether it ended because its record was full
 * @param failure why it could not go on; null if it could
 * @param latestGetMs how much later than its time the latest answer to a get came, like {@link Counts#latestMs}
 * @param longestStallMs the longest time for which the load generator itself did not get to run
 * @param histories which were checked for linearizability
 * @param bufferedGets gets that were sent to paused gateways, and answered when these went on
 * @param read messages that readers have read, all together
 * @param readErrors gets that failed, by code
 * @param faults each in its turn
 * @param gaps by kind of fault; {@code none} is the time before the first
 * @param violations how often each rule was broken
 * @param firstViolations the first few of each rule
 */
public record VerifyReport(
        String verdict,
        String topic,
        long seed,
        List<String> gateways,
        int partitions,
        int writers,
        int readers,
        double seconds,
        boolean interrupted,
        boolean recordFull,
        @Nullable String failure,
        Counts counts,
        double toleranceMs,
        double latestGetMs,
        double longestStallMs,
        Phases.Summary histories,
        long bufferedGets,
        long read,
        Map<String, Long> readErrors,
        List<FaultReport> faults,
        Map<String, GapReport> gaps,
        Map<String, Long> violations,
        List<Violations.Violation> firstViolations) {

    /**
     * A fault.
     *
     * @param atSeconds since the run began
     * @param downSeconds until the host had been put back
     * @param longestGapSeconds the longest time from then to the next fault in which a partition acknowledged no put
     * @param partition that partition
     * @param medianGapSeconds the same, of the partition in the middle
     */
    record FaultReport(
            String kind,
            String host,
            double atSeconds,
            double downSeconds,
            double longestGapSeconds,
            int partition,
            double medianGapSeconds) {}

    /**
     * How long partitions acknowledged nothing after faults of a kind.
     *
     * @param faults how many there were
     * @param medianSeconds the fault in the middle, by its longest gap
     * @param worstSeconds the longest gap of all
     * @param medianPartitionSeconds the partition in the middle, of all faults
     * @param worstGetSeconds the longest time in which a partition answered no get; long polls make it as long as {@code --timeout}
     */
    record GapReport(
            int faults,
            double medianSeconds,
            double worstSeconds,
            double medianPartitionSeconds,
            double worstGetSeconds) {}

    private static final String GOOD = "GOOD";

    public boolean isGood() {
        return verdict.equals(GOOD);
    }

    static VerifyReport of(
            VerifyContext context,
            double seconds,
            boolean interrupted,
            boolean recordFull,
            @Nullable LoadFailure failure,
            Counts counts,
            Phases.Summary histories) {
        VerifyPlan plan = context.plan();
        RunRecord books = context.books();
        Map<String, Long> violations = new TreeMap<>();
        books.violations.counts().forEach((rule, count) -> violations.put(rule.text(), count));
        List<Period> periods = books.periods.over();
        return new VerifyReport(
                violations.isEmpty() ? GOOD : "BAD",
                context.names().topic(),
                plan.seed,
                context.cluster().gatewayNames(),
                plan.partitions,
                plan.writers,
                plan.readers,
                seconds,
                interrupted,
                recordFull,
                failure == null ? null : failure.getMessage(),
                counts,
                plan.tolerance.toMillis(),
                books.latestGetMs(),
                context.watch().longestStallNanos() / 1e6,
                histories,
                books.buffered.sum(),
                books.read.sum(),
                books.readErrors(),
                faultReports(periods),
                gapReports(periods),
                violations,
                books.violations.first());
    }

    /** Of the faults that were undone. */
    private static List<FaultReport> faultReports(List<Period> periods) {
        List<FaultReport> reports = new ArrayList<>();
        for (Period period : periods) {
            Fault fault = period.fault;
            if (fault != null && period.backNanos != Long.MAX_VALUE) {
                reports.add(new FaultReport(
                        fault.kind().text(),
                        fault.host(),
                        period.beganNanos / 1e9,
                        (period.backNanos - period.beganNanos) / 1e9,
                        period.worstNanos() / 1e9,
                        period.worstPartition(),
                        period.medianNanos() / 1e9));
            }
        }
        return reports;
    }

    /** The first period is before the load. */
    private static Map<String, GapReport> gapReports(List<Period> periods) {
        Map<String, List<Period>> byName =
                periods.stream().skip(1).collect(Collectors.groupingBy(period -> period.name));
        Map<String, GapReport> reports = new TreeMap<>();
        byName.forEach((name, ofName) -> {
            long[] worst = sorted(ofName.stream().mapToLong(Period::worstNanos));
            long[] worstGet = sorted(ofName.stream().mapToLong(period -> period.worstGetNanos));
            long[] all = sorted(ofName.stream().flatMapToLong(period -> Arrays.stream(period.longestNanos)));
            reports.put(
                    name,
                    new GapReport(
                            worst.length,
                            worst[worst.length / 2] / 1e9,
                            worst[worst.length - 1] / 1e9,
                            all[all.length / 2] / 1e9,
                            worstGet[worstGet.length - 1] / 1e9));
        });
        return reports;
    }

    private static long[] sorted(LongStream values) {
        return values.sorted().toArray();
    }
}
