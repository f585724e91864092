package io.talosgateway.loadgen.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

import io.talosgateway.loadgen.chart.Numbers;
import io.talosgateway.loadgen.chart.Page;
import io.talosgateway.loadgen.chart.Table;
import io.talosgateway.loadgen.measure.GcPause;
import io.talosgateway.loadgen.measure.Kind;
import io.talosgateway.loadgen.measure.Summary;
import io.talosgateway.loadgen.measure.Tally;
import io.talosgateway.loadgen.stages.StageText;
import io.talosgateway.loadgen.stages.StageTimes;

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
                        "%s of %s, %.1f s after %.1f s of warm-up; begun at %s",
                        report.topic(),
                        report.endpoint(),
                        report.seconds(),
                        report.warmupSeconds(),
                        report.startedAt()));
        if (report.interrupted()) {
            page.warning("The run was interrupted: this is what there was until then.");
        }
        if (report.failure() != null) {
            page.warning(report.failure());
        }
        tiles(page, report);
        ReportCharts.all(report).forEach(page::add);
        page.element("p", "Point at a plot to see its numbers; drag to look closer, double-click to see all again.");
        page.add(ReportText.totals(report));
        if (report.get() != null) {
            page.element("p", "Gets wait for messages at the end of their partition; their latency includes the wait.");
        }
        errors(page, report);
        stages(page, report.stages());
        page.add(circumstances(report));
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
        if (!table.rows().isEmpty()) {
            page.add(table);
        }
    }

    /** A heading and a table for each kind of request. */
    private static void stages(Page page, List<StageTimes> kinds) {
        for (StageTimes kind : kinds) {
            page.element("h2", "Where the time of a %s goes".formatted(kind.request()));
            page.element(
                    "p",
                    text(
                            "%,d requests of a client beside the load, %.3f ms in the mean.",
                            kind.samples(), kind.meanMs()));
            if (kind.problem() != null) {
                page.warning("Not every request could be timed: " + kind.problem() + ".");
            }
            if (!kind.oneClock()) {
                page.warning(StageText.OTHER_CLOCK);
            }
            page.add(steps(kind));
        }
    }

    private static Table steps(StageTimes kind) {
        Table table = new Table("", "lr", List.of("from - to", "requests", "mean ms", "P50 ms", "P99 ms", "share"));
        for (StageTimes.Step step : kind.steps()) {
            table.add(
                    step.from() + " - " + step.to(),
                    text("%,d", step.count()),
                    text("%.4f", step.meanMs()),
                    text("%.4f", step.p50Ms()),
                    text("%.4f", step.p99Ms()),
                    text("%.1f %%", 100 * step.share()));
        }
        return table;
    }

    private static Table circumstances(Report report) {
        Table table = new Table("How it was run", "l", List.of());
        for (Kind kind : Kind.values()) {
            if (report.of(kind) != null) {
                table.add("Load of " + kind.text() + "s", load(report, kind));
            }
        }
        table.add(
                "Threads",
                text("%,d producers, %,d readers", report.putThreads(), report.getThreads())
                        + processes(report.load()));
        table.add("Partitions", Numbers.count(report.partitions()));
        table.add(
                "Messages",
                text(
                        "%s, seed %d%s",
                        report.content(), report.seed(), report.idempotencyKeys() ? ", with idempotency keys" : ""));
        table.add(
                "Load generator",
                text(
                        "%s µs of CPU time per request; %s%s",
                        Numbers.three(report.cpuMicrosPerRequest()),
                        generator(report.generator()),
                        pauses(report.gcPauses())));
        Environment host = report.environment();
        table.add(
                "Host",
                text(
                        "%s: %s, %d processors, %,d MiB",
                        host.host(), host.system(), host.processors(), host.memoryMiB()));
        table.add(
                "Java",
                text("%s, heap of %,d MiB, %s", host.java(), host.maxHeapMiB(), String.join(" ", host.javaOptions())));
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

    private static String processes(LoadShape load) {
        return (load.ioThreads() == null ? ", a thread each" : text(", driven by %d threads", load.ioThreads()))
                + (load.tls() ? ", over TLS" : "")
                + (load.newConnections() ? ", with a new connection for each request" : "")
                + (load.processes() == 1 ? "" : text(", in %d processes", load.processes()));
    }

    private static String generator(GeneratorCost cost) {
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

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
