package io.talosgateway.verifier;

import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** A report for people to read. Stateless. */
public final class VerifyText {

    private VerifyText() {}

    public static String of(VerifyReport report) {
        StringBuilder text = new StringBuilder();
        Counts counts = report.counts();
        line(
                text,
                "%s: %d partitions, %d writers, %d readers of each partition, %.1f s of load%s; seed %d",
                report.topic(),
                report.partitions(),
                report.writers(),
                report.readers(),
                report.seconds(),
                report.interrupted() ? ", interrupted" : "",
                report.seed());
        line(text, "");
        row(text, "requests to put", counts.attempts(), "");
        row(text, "acknowledged", counts.puts(), "puts, with %,d messages".formatted(counts.messages()));
        row(text, "repeats", counts.repeats(), "answered with the offset of the first time");
        row(text, "refused", counts.refused(), codes(counts.attemptsRefused()));
        row(
                text,
                "unknown",
                counts.unknown(),
                "%s; of puts that were never acknowledged, %,d are there, %,d not"
                        .formatted(codes(counts.attemptsUnknown()), counts.unknownStored(), counts.unknownNotStored()));
        row(text, "never stored", counts.putsRefused(), "puts that were only refused: none of them may be there");
        row(text, "expired", counts.expired(), "messages that were out of their retention in the end");
        row(text, "stored", counts.stored(), "messages, all read in the end");
        row(
                text,
                "histories",
                report.histories().histories(),
                "of %,d operations checked for linearizability; %d undecided"
                        .formatted(
                                report.histories().operations(),
                                report.histories().undecided()));
        row(text, "buffered gets", report.bufferedGets(), "sent to a paused gateway, answered when it went on");
        row(text, "read", report.read(), "messages, by all readers; errors: " + codes(report.readErrors()));
        line(
                text,
                "The latest answers: puts %.0f ms after their time, gets %.0f ms (%.0f ms are tolerated); this process stood still for up to %.0f ms.",
                counts.latestMs(),
                report.latestGetMs(),
                report.toleranceMs(),
                report.longestStallMs());
        if (report.failure() != null) {
            line(text, "It could not be done to the end: %s", report.failure());
        }
        if (report.recordFull()) {
            line(text, "The record was full before the time was over.");
        }
        gaps(text, report);
        violations(text, report);
        return text.toString();
    }

    private static String codes(Map<String, Long> counts) {
        String codes = counts.entrySet().stream()
                .map(entry -> "%s %,d".formatted(entry.getKey(), entry.getValue()))
                .collect(Collectors.joining(", "));
        return codes.isEmpty() ? "none" : codes;
    }

    private static void row(StringBuilder text, String name, long count, String remark) {
        line(text, "%-16s %,14d  %s", name, count, remark);
    }

    private static void gaps(StringBuilder text, VerifyReport report) {
        line(text, "");
        line(
                text,
                "The longest time without an acknowledged put, and without an answered get, in seconds, until the next fault:");
        line(text, "%-24s %7s %10s %10s %16s %10s", "", "faults", "median", "worst", "median partition", "worst get");
        report.gaps().forEach((kind, gap) -> {
            boolean none = kind.equals("none");
            line(
                    text,
                    "%-24s %7s %10.3f %10.3f %16.3f %10.3f",
                    none ? "before the first fault" : kind,
                    none ? "" : gap.faults(),
                    gap.medianSeconds(),
                    gap.worstSeconds(),
                    gap.medianPartitionSeconds(),
                    gap.worstGetSeconds());
        });
        for (VerifyReport.FaultReport fault : report.faults()) {
            line(
                    text,
                    "  at %6.1f s %-9s %-12s down for %5.1f s: partition %d waited %.3f s, the one in the middle %.3f s",
                    fault.atSeconds(),
                    fault.kind(),
                    fault.host(),
                    fault.downSeconds(),
                    fault.partition(),
                    fault.longestGapSeconds(),
                    fault.medianGapSeconds());
        }
        line(text, "");
    }

    private static void violations(StringBuilder text, VerifyReport report) {
        if (report.isGood()) {
            line(text, "GOOD");
            return;
        }
        line(text, "%s: %s", report.verdict(), codes(report.violations()));
        for (VerifyReport.ViolationReport violation : report.firstViolations()) {
            line(text, "  %s: %s", violation.rule(), violation.text());
            violation.attempts().forEach(attempt -> line(text, "      %s", attempt));
        }
    }

    private static void line(StringBuilder text, String format, Object... values) {
        text.append(String.format(Locale.ROOT, format, values).stripTrailing()).append('\n');
    }
}
