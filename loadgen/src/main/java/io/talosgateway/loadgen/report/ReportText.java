package io.talosgateway.loadgen.report;

import java.util.Locale;

import io.talosgateway.loadgen.measure.IdleCount;
import io.talosgateway.loadgen.measure.Summary;
import io.talosgateway.loadgen.measure.Tally;
import io.talosgateway.loadgen.stages.StageText;
import org.jspecify.annotations.Nullable;

/** A report for people to read. Stateless. */
public final class ReportText {

    private static final double BYTES_PER_MB = 1e6;

    private ReportText() {}

    public static String of(Report report) {
        StringBuilder text = new StringBuilder();
        line(
                text,
                "%s of %s in %d partitions, %s; %.1f s after %.1f s of warm-up%s",
                report.topic(),
                report.endpoint(),
                report.partitions(),
                report.content(),
                report.seconds(),
                report.warmupSeconds(),
                report.interrupted() ? ", interrupted" : "");
        line(text, "");
        line(
                text,
                "%-4s %8s %11s %11s %9s %9s %9s %9s %9s %9s %9s %8s",
                "",
                "threads",
                "count",
                "per s",
                "mean ms",
                "P50",
                "P75",
                "P99",
                "P999",
                "max",
                "MB/s",
                "errors");
        row(text, "put", report.putThreads(), report.put());
        row(text, "get", report.getThreads(), report.get());
        line(text, "");
        Summary put = report.put();
        if (put != null && put.messages() > put.count()) {
            line(text, "puts: %,.0f messages/s", put.messagesPerSecond());
        }
        Summary get = report.get();
        if (get != null) {
            line(
                    text,
                    "gets: %,.0f messages/s; %,d of the gets found none. Their latency includes the wait for messages.",
                    get.messagesPerSecond(),
                    get.empty());
        }
        line(text, "%s", generator(report));
        IdleCount idle = report.idle();
        if (idle != null) {
            line(
                    text,
                    "%,d idle connections: %,d puts answered, %,d failed",
                    idle.connections(),
                    idle.answered(),
                    idle.failed());
        }
        errors(text, "put", report.put());
        errors(text, "get", report.get());
        if (!report.stages().isEmpty()) {
            text.append('\n').append(StageText.of(report.stages()));
        }
        return text.toString();
    }

    private static String generator(Report report) {
        GeneratorCost cost = report.generator();
        Double switches = cost.contextSwitchesPerSecond();
        return String.format(
                Locale.ROOT,
                "The load generator took %.0f µs of CPU time per request, %.2f processors%s%s.",
                report.cpuMicrosPerRequest(),
                cost.cpuCores(),
                switches == null ? "" : String.format(Locale.ROOT, ", %,.0f context switches/s", switches),
                cost.processes() == 1 ? "" : ", in " + cost.processes() + " processes");
    }

    private static void row(StringBuilder text, String name, int threads, @Nullable Summary summary) {
        if (summary != null) {
            line(
                    text,
                    "%-4s %8d %,11d %,11.1f %9.3f %9.3f %9.3f %9.3f %9.3f %9.3f %9.1f %,8d",
                    name,
                    threads,
                    summary.count(),
                    summary.perSecond(),
                    summary.meanMs(),
                    summary.p50Ms(),
                    summary.p75Ms(),
                    summary.p99Ms(),
                    summary.p999Ms(),
                    summary.maxMs(),
                    summary.bytesPerSecond() / BYTES_PER_MB,
                    summary.errors());
        }
    }

    private static void errors(StringBuilder text, String name, @Nullable Summary summary) {
        if (summary == null) {
            return;
        }
        if (summary.refusedMaxMs() > 0) {
            line(
                    text,
                    "%s: answered with an error after %.3f ms in the mean, P999 %.3f, max %.3f",
                    name,
                    summary.refusedMeanMs(),
                    summary.refusedP999Ms(),
                    summary.refusedMaxMs());
        }
        for (Tally.ErrorCount error : summary.errorsByKind()) {
            line(
                    text,
                    "%s: %,d times %s %s: %s",
                    name,
                    error.count(),
                    error.statusText(),
                    error.code(),
                    error.detail());
        }
    }

    private static void line(StringBuilder text, String format, Object... values) {
        text.append(String.format(Locale.ROOT, format, values).stripTrailing()).append('\n');
    }
}
