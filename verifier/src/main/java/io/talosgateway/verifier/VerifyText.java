package io.talosgateway.verifier;

import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** A report for people to read. */
public final class VerifyText {

    private final StringBuilder text = new StringBuilder();

    private VerifyText() {}

    public static String of(VerifyReport report) {
        VerifyText text = new VerifyText();
        text.counts(report);
        text.gaps(report);
        text.violations(report);
        return text.text.toString();
    }

    private void counts(VerifyReport report) {
        Counts counts = report.counts();
        line(
                "%s: %d partitions, %d writers, %d readers of each partition, %.1f s of load%s; seed %d",
                report.topic(),
                report.partitions(),
                report.writers(),
                report.readers(),
                report.seconds(),
                report.interrupted() ? ", interrupted" : "",
                report.seed());
        line("");
        row("requests to put", counts.attempts, "");
        row("acknowledged", counts.puts, "puts, with %,d messages".formatted(counts.messages));
        row("repeats", counts.repeats, "answered with the offset of the first time");
        row("refused", counts.refused(), codes(counts.attemptsRefused));
        row(
                "unknown",
                counts.unknown(),
                "%s; of puts that were never acknowledged, %,d are there, %,d not"
                        .formatted(codes(counts.attemptsUnknown), counts.unknownStored, counts.unknownNotStored));
        row("never stored", counts.putsRefused, "puts that were only refused: none of them may be there");
        row("expired", counts.expired, "messages that were out of their retention in the end");
        row("stored", counts.stored, "messages, all read in the end");
        row(
                "histories",
                report.histories().histories(),
                "of %,d operations checked for linearizability"
                        .formatted(report.histories().operations()));
        row("buffered gets", report.bufferedGets(), "sent to a paused gateway, answered when it went on");
        row("read", report.read(), "messages, by all readers; errors: " + codes(report.readErrors()));
        line(
                "The latest answers: puts %.0f ms after their time, gets %.0f ms (%.0f ms are tolerated); this process stood still for up to %.0f ms.",
                counts.latestMs, report.latestGetMs(), report.toleranceMs(), report.longestStallMs());
        if (report.failure() != null) {
            line("It could not be done to the end: %s", report.failure());
        }
        if (report.recordFull()) {
            line("The record was full before the time was over.");
        }
    }

    private static String codes(Map<String, Long> counts) {
        String codes = counts.entrySet().stream()
                .map(entry -> "%s %,d".formatted(entry.getKey(), entry.getValue()))
                .collect(Collectors.joining(", "));
        return codes.isEmpty() ? "none" : codes;
    }

    private void row(String name, long count, String remark) {
        line("%-16s %,14d  %s", name, count, remark);
    }

    private void gaps(VerifyReport report) {
        line("");
        line(
                "The longest time without an acknowledged put, and without an answered get, in seconds, until the next fault:");
        line("%-24s %7s %10s %10s %16s %10s", "", "faults", "median", "worst", "median partition", "worst get");
        report.gaps().forEach((kind, gap) -> {
            boolean none = kind.equals("none");
            line(
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
                    "  at %6.1f s %-9s %-12s down for %5.1f s: partition %d waited %.3f s, the one in the middle %.3f s",
                    fault.atSeconds(),
                    fault.kind(),
                    fault.host(),
                    fault.downSeconds(),
                    fault.partition(),
                    fault.longestGapSeconds(),
                    fault.medianGapSeconds());
        }
        line("");
    }

    private void violations(VerifyReport report) {
        if (report.isGood()) {
            line("GOOD");
            return;
        }
        line("%s: %s", report.verdict(), codes(report.violations()));
        for (Violations.Violation violation : report.firstViolations()) {
            line("  %s: %s", violation.rule(), violation.text());
            violation.attempts().forEach(attempt -> line("      %s", attempt));
        }
    }

    private void line(String format, Object... values) {
        text.append(String.format(Locale.ROOT, format, values).stripTrailing()).append('\n');
    }
}
