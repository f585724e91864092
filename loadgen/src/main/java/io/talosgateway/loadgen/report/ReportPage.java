package io.talosgateway.loadgen.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;

import io.talosgateway.loadgen.chart.Numbers;
import io.talosgateway.loadgen.chart.Page;
import io.talosgateway.loadgen.chart.Table;
import io.talosgateway.loadgen.measure.GcPause;
import io.talosgateway.loadgen.measure.Kind;
import io.talosgateway.loadgen.measure.Summary;
import io.talosgateway.loadgen.measure.Tally;

/** A report for people to read, on a page with plots or on a terminal. Stateless. */
public final class ReportPage {

    private static final double BYTES_PER_MB = 1e6;

    private ReportPage() {}

    public static Page of(Report report) {
        Page page = new Page(
                "Load on " + report.topics() + " of " + report.plan().target().endpoint());
        page.element("h1", headline(report));
        page.element(
                "p",
                text(
                        "%s of %s, %.1f s after %.1f s of warm-up; begun at %s",
                        report.topics(),
                        report.plan().target().endpoint(),
                        report.facts().seconds(),
                        report.facts().warmupSeconds(),
                        report.facts().startedAt()));
        if (report.facts().interrupted()) {
            page.warning("The run was interrupted: this is what there was until then.");
        }
        if (report.facts().failure() != null) {
            page.warning(report.facts().failure());
        }
        tiles(page, report);
        RunResult result = RunResult.of(report);
        result.charts().forEach(page::add);
        page.add("<p>Point at a plot to see its numbers; drag to look closer, double-click to see all again.</p>");
        page.add(totals(report));
        messages(page, report);
        errors(page, report);
        page.add(circumstances(report, result));
        return page;
    }

    private static String headline(Report report) {
        List<String> rates = new ArrayList<>();
        for (Kind kind : Kind.values()) {
            Summary summary = report.of(kind);
            if (summary != null) {
                rates.add("%s %ss/s".formatted(Numbers.three(summary.perSecond()), kind.text()));
            }
        }
        return String.join(", ", rates);
    }

    private static void tiles(Page page, Report report) {
        for (Kind kind : Kind.values()) {
            Summary summary = report.of(kind);
            if (summary != null) {
                page.add("<div class=\"tiles\">"
                        + tile(kind, Numbers.three(summary.perSecond()), kind.text() + "s per second")
                        + tile(kind, Numbers.three(summary.bytesPerSecond() / BYTES_PER_MB), "MB per second")
                        + tile(kind, Numbers.three(summary.meanMs()) + " ms", "mean")
                        + tile(kind, Numbers.three(summary.p99Ms()) + " ms", "P99")
                        + tile(kind, Numbers.three(summary.maxMs()) + " ms", "slowest")
                        + tile(kind, Numbers.count(summary.errors()), "errors")
                        + "</div>");
            }
        }
    }

    private static String tile(Kind kind, String number, String name) {
        return "<div class=\"tile %s\"><b>%s</b><span>%s</span></div>"
                .formatted(kind.text(), Page.escape(number), Page.escape(name));
    }

    /** A row for puts, and one for gets, if there were any. */
    private static Table totals(Report report) {
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
                        text("%,.1f", summary.perSecond())));
                DoubleStream.of(
                                summary.meanMs(),
                                summary.p50Ms(),
                                summary.p75Ms(),
                                summary.p90Ms(),
                                summary.p99Ms(),
                                summary.p999Ms(),
                                summary.maxMs())
                        .forEach(ms -> row.add(text("%,.3f", ms)));
                row.add(text("%,.1f", summary.bytesPerSecond() / BYTES_PER_MB));
                row.add(Numbers.count(summary.errors()));
                table.add(row);
            }
        }
        return table;
    }

    private static void messages(Page page, Report report) {
        Summary put = report.put();
        if (put != null && put.messages() > put.count()) {
            page.element("p", text("Puts: %,.0f messages/s.", put.messagesPerSecond()));
        }
        Summary get = report.get();
        if (get != null) {
            page.element(
                    "p",
                    text(
                            "Gets: %,.0f messages/s. They wait for messages at the end of their partition, and their latency "
                                    + "includes the wait; %,d of them found none.",
                            get.messagesPerSecond(), get.empty()));
        }
    }

    private static void errors(Page page, Report report) {
        Table table = new Table(
                "Errors, those of the warm-up included", "rrl", List.of("", "times", "error", "the first one said"));
        for (Kind kind : Kind.values()) {
            Summary summary = report.of(kind);
            for (Tally.ErrorCount error : summary == null ? List.<Tally.ErrorCount>of() : summary.errorsByKind()) {
                table.add(
                        kind.text(),
                        Numbers.count(error.count()),
                        error.statusText() + " " + error.code(),
                        error.detail());
            }
        }
        page.add(table);
        for (Kind kind : Kind.values()) {
            Summary summary = report.of(kind);
            if (summary != null && summary.refusedMaxMs() > 0) {
                page.element(
                        "p",
                        text(
                                "Errors of %ss were answered after %.3f ms in the mean, P99.9 %.3f ms, at most %.3f ms.",
                                kind.text(), summary.refusedMeanMs(), summary.refusedP999Ms(), summary.refusedMaxMs()));
            }
        }
    }

    /** What the run was told, and what else may have made it fast or slow. */
    private static Table circumstances(Report report, RunResult result) {
        Table table = new Table("How it was run", "l", List.of());
        result.told().forEach((name, value) -> table.add(name, value));
        table.add(
                "load generator",
                text(
                        "%s µs of CPU time per request; %s processors; %s",
                        Numbers.three(report.cpuMicrosPerRequest()),
                        Numbers.three(report.cpuCores()),
                        pauses(report.facts().gcPauses())));
        return table;
    }

    private static String pauses(List<GcPause> pauses) {
        double longest = pauses.stream().mapToDouble(GcPause::ms).max().orElse(0);
        double all = pauses.stream().mapToDouble(GcPause::ms).sum();
        return pauses.isEmpty()
                ? "no GC pause of its own"
                : "%d GC pauses of its own, %s ms in all, the longest %s ms"
                        .formatted(pauses.size(), Numbers.three(all), Numbers.three(longest));
    }

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
