package io.talosgateway.loadgen.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

import io.talosgateway.loadgen.chart.Chart;
import io.talosgateway.loadgen.chart.Chart.Axis;
import io.talosgateway.loadgen.chart.Mark;
import io.talosgateway.loadgen.chart.Series;
import io.talosgateway.loadgen.measure.GcPause;
import io.talosgateway.loadgen.measure.Kind;
import io.talosgateway.loadgen.measure.KindSecond;
import io.talosgateway.loadgen.measure.Quantile;
import io.talosgateway.loadgen.measure.Second;
import io.talosgateway.loadgen.measure.Summary;

/** The plots of a report. Stateless. */
final class ReportCharts {

    private static final String TIME = "seconds since the end of the warm-up";

    private ReportCharts() {}

    /** In the order of the page. */
    static List<Chart> all(Report report) {
        List<Chart> charts = new ArrayList<>();
        percentiles(charts, report);
        if (!report.timeline().isEmpty()) {
            throughput(charts, report);
            for (Kind kind : Kind.values()) {
                if (report.of(kind) != null) {
                    latency(charts, report, kind);
                }
            }
        }
        if (report.plan().queue() != null) {
            charts.add(backlog(report));
        }
        if (!report.server().isEmpty()) {
            server(charts, report);
        }
        return charts;
    }

    private static void percentiles(List<Chart> charts, Report report) {
        List<Series> series = new ArrayList<>();
        for (Kind kind : Kind.values()) {
            Summary summary = report.of(kind);
            if (summary != null && !summary.distribution().isEmpty()) {
                series.add(Quantile.line(kind.text(), kind.text(), summary.distribution(), summary.count()));
            }
        }
        if (!series.isEmpty()) {
            charts.add(Chart.percentiles("Latency by percentile, ms", series));
        }
    }

    private static void throughput(List<Chart> charts, Report report) {
        List<Series> series = new ArrayList<>();
        for (Kind kind : Kind.values()) {
            if (report.of(kind) != null) {
                series.add(overTime(report, kind.text() + "s/s", kind.text(), of(kind, KindSecond::perSecond)));
            }
        }
        if (report.timeline().stream().anyMatch(second -> failed(second) > 0)) {
            series.add(overTime(report, "errors/s", "error", second -> failed(second) / second.seconds()));
        }
        charts.add(new Chart("Requests answered per second", TIME, Axis.LINEAR, Axis.LINEAR, series, List.of()));
    }

    private static Chart backlog(Report report) {
        List<Series.Point> points = new ArrayList<>();
        for (Second second : report.timeline()) {
            Long backlog = second.backlog();
            points.add(new Series.Point(
                    second.atSeconds() + second.seconds(), backlog == null ? Double.NaN : backlog.doubleValue()));
        }
        Series series = new Series("messages", "take", points);
        return new Chart("Messages in the queue", TIME, Axis.LINEAR, Axis.LINEAR, List.of(series), List.of());
    }

    private static void latency(List<Chart> charts, Report report, Kind kind) {
        List<Series> series = List.of(
                overTime(report, "slowest", "max", of(kind, ifAny(KindSecond::maxMs))),
                overTime(report, "P99", "p99", of(kind, ifAny(KindSecond::p99Ms))),
                overTime(report, "P50", "p50", of(kind, ifAny(KindSecond::p50Ms))));
        charts.add(new Chart(
                "Latency of %ss over time, ms".formatted(kind.text()),
                TIME,
                Axis.LINEAR,
                Axis.LOG,
                series,
                marks(report, kind)));
    }

    private static List<Mark> marks(Report report, Kind kind) {
        List<Mark> marks = new ArrayList<>();
        for (GcPause pause : report.facts().gcPauses()) {
            marks.add(new Mark(
                    "GC pause of the load generator",
                    "gc",
                    Mark.Shape.BAND,
                    pause.atSeconds(),
                    pause.atSeconds() + pause.ms() / 1000));
        }
        for (Series.Point gc : ofServer(report, "", "", "gcMs").points()) {
            if (gc.y() > 0) {
                marks.add(new Mark(
                        "GC of the gateway, all of a second as one",
                        "servergc",
                        Mark.Shape.BAND,
                        gc.x(),
                        gc.x() + gc.y() / 1000));
            }
        }
        for (Second second : report.timeline()) {
            KindSecond of = second.of(kind);
            if (of != null && of.failed() > 0) {
                marks.add(new Mark(
                        "errors", "error", Mark.Shape.FLAG, second.atSeconds(), second.atSeconds() + second.seconds()));
            }
        }
        return marks;
    }

    private static void server(List<Chart> charts, Report report) {
        List<Series> queue = new ArrayList<>();
        if (report.put() != null) {
            queue.add(ofServer(report, "put", "put", "putQueueMs"));
        }
        if (report.get() != null) {
            queue.add(ofServer(report, "get", "get", "getQueueMs"));
        }
        charts.add(ofServer("Wait in the gateway's queue, mean in ms", queue));
        if (report.put() == null) {
            return;
        }
        List<Series> time = List.of(
                ofServer(report, "put in the gateway", "put", "putMs"),
                ofServer(report, "storage", "storage", "storageMs"));
        charts.add(ofServer("Time of a put in the gateway, and in its storage, mean in ms", time));
        List<Series> share = List.of(ofServer(report, "storage", "storage", "storageSharePercent"));
        charts.add(ofServer("Storage share of a put's time in the gateway, %", share));
    }

    private static Chart ofServer(String title, List<Series> series) {
        return new Chart(title, TIME, Axis.LINEAR, Axis.LINEAR, series, List.of());
    }

    /** A point in the middle of each second; without a value there is a gap. */
    private static Series ofServer(Report report, String name, String style, String field) {
        List<Series.Point> points = new ArrayList<>();
        for (Map<String, Double> second : report.server()) {
            double middle = second.getOrDefault("atSeconds", 0.0) + second.getOrDefault("seconds", 0.0) / 2;
            if (middle >= 0) {
                points.add(new Series.Point(middle, second.getOrDefault(field, Double.NaN)));
            }
        }
        return new Series(name, style, points);
    }

    private static Series overTime(Report report, String name, String style, ToDoubleFunction<Second> value) {
        return new Series(
                name,
                style,
                report.timeline().stream()
                        .map(second -> new Series.Point(
                                second.atSeconds() + second.seconds() / 2, value.applyAsDouble(second)))
                        .toList());
    }

    /** Not a number in a second without requests of the kind. */
    private static ToDoubleFunction<Second> of(Kind kind, ToDoubleFunction<KindSecond> value) {
        return second -> {
            KindSecond of = second.of(kind);
            return of == null ? Double.NaN : value.applyAsDouble(of);
        };
    }

    /** Where there is no answer, there is no latency either. */
    private static ToDoubleFunction<KindSecond> ifAny(ToDoubleFunction<KindSecond> latency) {
        return second -> second.count() == 0 ? Double.NaN : latency.applyAsDouble(second);
    }

    private static long failed(Second second) {
        return Stream.of(Kind.values())
                .map(second::of)
                .filter(Objects::nonNull)
                .mapToLong(KindSecond::failed)
                .sum();
    }
}
