package io.talosgateway.loadgen.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

import io.talosgateway.loadgen.chart.Html;
import io.talosgateway.loadgen.chart.Numbers;
import io.talosgateway.loadgen.chart.Page;
import io.talosgateway.loadgen.chart.Table;
import io.talosgateway.loadgen.chart.Table.Cell;
import io.talosgateway.loadgen.measure.GcPause;
import io.talosgateway.loadgen.measure.Kind;
import io.talosgateway.loadgen.measure.Summary;
import io.talosgateway.loadgen.measure.Tally;
import org.jspecify.annotations.Nullable;

/** A report as a page with plots, which needs nothing but itself. Stateless. */
final class ReportPage {

    private static final double BYTES_PER_MB = 1e6;

    private ReportPage() {}

    static String of(Report report) {
        Page page = new Page("Load on " + report.topic() + " of " + report.endpoint());
        page.element("h1", headline(report));
        page.element(
                "p",
                text(
                        "%s of %s, %.1f s after %.1f s of warm-up%s",
                        report.topic(),
                        report.endpoint(),
                        report.seconds(),
                        report.warmupSeconds(),
                        report.startedAt() == null ? "" : "; begun at " + report.startedAt()));
        if (report.interrupted()) {
            warning(page, "The run was interrupted: this is what there was until then.");
        }
        if (report.failure() != null) {
            warning(page, report.failure());
        }
        tiles(page, report);
        ReportCharts.all(report).forEach(page::add);
        page.element("p", "Point at a plot to see its numbers; drag to look closer, double-click to see all again.");
        page.element("h2", "Latencies in ms");
        page.add(latencies(report).toHtml());
        if (report.get() != null) {
            page.element("p", "Gets wait for messages at the end of their partition; their latency includes the wait.");
        }
        errors(page, report);
        StagePage.add(page, report.stages());
        page.element("h2", "How it was run");
        page.add(circumstances(report).toHtml());
        return page.toHtml();
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

    private static void warning(Page page, String text) {
        page.add("<p class=\"warning\">" + Html.escape(text) + "</p>");
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
                .formatted(kind.text(), Html.escape(number), Html.escape(name));
    }

    private static Table latencies(Report report) {
        Table table = new Table(List.of(
                Cell.of(""),
                Cell.of("clients"),
                Cell.of("count"),
                Cell.of("mean"),
                Cell.of("P50"),
                Cell.of("P75"),
                Cell.of("P90"),
                Cell.of("P99"),
                Cell.of("P99.9"),
                Cell.of("max")));
        for (Kind kind : Kind.values()) {
            Summary summary = report.of(kind);
            if (summary != null) {
                table.add(List.of(
                        Cell.of(kind.text()),
                        Cell.of(Numbers.count(report.threads(kind))),
                        Cell.of(Numbers.count(summary.count())),
                        ms(summary.meanMs()),
                        ms(summary.p50Ms()),
                        ms(summary.p75Ms()),
                        ms(summary.p90Ms()),
                        ms(summary.p99Ms()),
                        ms(summary.p999Ms()),
                        ms(summary.maxMs())));
            }
        }
        return table;
    }

    private static Cell ms(double value) {
        return Cell.of(text("%,.3f", value));
    }

    private static void errors(Page page, Report report) {
        Table table =
                new Table(List.of(Cell.of(""), Cell.of("times"), Cell.text("error"), Cell.text("the first one said")));
        boolean any = false;
        for (Kind kind : Kind.values()) {
            Summary summary = report.of(kind);
            for (Tally.ErrorCount error : summary == null ? List.<Tally.ErrorCount>of() : summary.errorsByKind()) {
                any = true;
                table.add(List.of(
                        Cell.of(kind.text()),
                        Cell.of(Numbers.count(error.count())),
                        Cell.text((error.status() == 0 ? "no answer" : Integer.toString(error.status())) + " "
                                + error.code()),
                        Cell.text(error.detail())));
            }
        }
        if (any) {
            page.element("h2", "Errors, those of the warm-up included");
            page.add(table.toHtml());
        }
    }

    private static Table circumstances(Report report) {
        Table table = new Table(List.of());
        for (Kind kind : Kind.values()) {
            if (report.of(kind) != null) {
                row(table, "Load of " + kind.text() + "s", load(report, kind));
            }
        }
        row(
                table,
                "Threads",
                text("%,d producers, %,d readers", report.putThreads(), report.getThreads())
                        + processes(report.load()));
        row(table, "Partitions", Numbers.count(report.partitions()));
        row(
                table,
                "Messages",
                text(
                        "%s, seed %d%s",
                        report.content(), report.seed(), report.idempotencyKeys() ? ", with idempotency keys" : ""));
        row(
                table,
                "Load generator",
                text(
                        "%s µs of CPU time per request; %s%s",
                        Numbers.three(report.cpuMicrosPerRequest()),
                        generator(report.generator()),
                        pauses(report.gcPauses())));
        environment(table, report.environment());
        return table;
    }

    private static String load(Report report, Kind kind) {
        Double rate = report.rate(kind);
        Double perThread = report.ratePerThread(kind);
        if (rate == null && perThread == null) {
            return "closed loop: each thread sends its next request when it has its answer";
        }
        return "open loop: "
                + (rate == null
                        ? text("%s a second of each thread", Numbers.tick(Objects.requireNonNull(perThread)))
                        : text("%s a second of all together", Numbers.tick(rate)))
                + ", each at its time; latency counts from that time";
    }

    private static String processes(@Nullable LoadShape load) {
        if (load == null) {
            return "";
        }
        return (load.ioThreads() == null ? ", a thread each" : text(", driven by %d threads", load.ioThreads()))
                + (load.tls() ? ", over TLS" : "")
                + (load.newConnections() ? ", with a new connection for each request" : "")
                + (load.processes() == 1 ? "" : text(", in %d processes", load.processes()));
    }

    private static String generator(@Nullable GeneratorCost cost) {
        if (cost == null) {
            return "";
        }
        Double switches = cost.contextSwitchesPerSecond();
        return text("%s processors; ", Numbers.three(cost.cpuCores()))
                + (switches == null ? "" : text("%s context switches per second; ", Numbers.three(switches)));
    }

    private static String pauses(List<GcPause> pauses) {
        double longest = pauses.stream().mapToDouble(GcPause::ms).max().orElse(0);
        double all = pauses.stream().mapToDouble(GcPause::ms).sum();
        return pauses.isEmpty()
                ? "no GC pause of its own"
                : "%d GC pauses of its own, %s ms in all, the longest %s ms"
                        .formatted(pauses.size(), Numbers.three(all), Numbers.three(longest));
    }

    private static void environment(Table table, @Nullable Environment host) {
        if (host != null) {
            row(
                    table,
                    "Host",
                    text(
                            "%s: %s, %d processors, %,d MiB",
                            host.host(), host.system(), host.processors(), host.memoryMiB()));
            row(
                    table,
                    "Java",
                    text(
                            "%s, heap of %,d MiB, %s",
                            host.java(), host.maxHeapMiB(), String.join(" ", host.javaOptions())));
        }
    }

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }

    private static void row(Table table, String name, String value) {
        table.add(List.of(Cell.text(name), Cell.text(value)));
    }
}
