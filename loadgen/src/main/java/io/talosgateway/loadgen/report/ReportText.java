package io.talosgateway.loadgen.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;

import io.talosgateway.loadgen.chart.Numbers;
import io.talosgateway.loadgen.chart.Table;
import io.talosgateway.loadgen.measure.IdleCount;
import io.talosgateway.loadgen.measure.Kind;
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
        text.append(totals(report).toText());
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

    /** A row for puts, and one for gets, if there were any. */
    static Table totals(Report report) {
        Table table = new Table(
                "Latencies in ms",
                "r",
                List.of(
                        "", "threads", "count", "per s", "mean ms", "P50", "P75", "P90", "P99", "P99.9", "max", "MB/s",
                        "errors"));
        for (Kind kind : Kind.values()) {
            Summary summary = report.of(kind);
            if (summary != null) {
                List<String> row = new ArrayList<>(List.of(
                        kind.text(),
                        Numbers.count(report.threads(kind)),
                        Numbers.count(summary.count()),
                        number("%,.1f", summary.perSecond())));
                DoubleStream.of(
                                summary.meanMs(),
                                summary.p50Ms(),
                                summary.p75Ms(),
                                summary.p90Ms(),
                                summary.p99Ms(),
                                summary.p999Ms(),
                                summary.maxMs())
                        .forEach(ms -> row.add(number("%,.3f", ms)));
                row.add(number("%,.1f", summary.bytesPerSecond() / BYTES_PER_MB));
                row.add(Numbers.count(summary.errors()));
                table.add(row);
            }
        }
        return table;
    }

    private static String number(String format, double value) {
        return String.format(Locale.ROOT, format, value);
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
