package io.talosgateway.loadgen.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

import io.talosgateway.loadgen.chart.AxisScale;
import io.talosgateway.loadgen.chart.LatencyScale;
import io.talosgateway.loadgen.chart.LineChart;
import io.talosgateway.loadgen.chart.LinearScale;
import io.talosgateway.loadgen.chart.Mark;
import io.talosgateway.loadgen.chart.Note;
import io.talosgateway.loadgen.chart.Numbers;
import io.talosgateway.loadgen.chart.PercentileScale;
import io.talosgateway.loadgen.chart.Series;
import io.talosgateway.loadgen.measure.GcPause;
import io.talosgateway.loadgen.measure.Kind;
import io.talosgateway.loadgen.measure.KindSecond;
import io.talosgateway.loadgen.measure.Second;
import io.talosgateway.loadgen.measure.ServerSecond;
import io.talosgateway.loadgen.measure.Summary;
import org.jspecify.annotations.Nullable;

/** The plots of a report. Stateless. */
final class ReportCharts {

    private static final String TIME = "seconds since the end of the warm-up";

    private ReportCharts() {}

    /** As HTML, in the order of the page. */
    static List<String> all(Report report) {
        List<LineChart> charts = new ArrayList<>();
        percentiles(charts, report);
        if (!report.timeline().isEmpty()) {
            throughput(charts, report);
            for (Kind kind : Kind.values()) {
                if (report.of(kind) != null) {
                    latency(charts, report, kind);
                }
            }
        }
        if (!report.server().isEmpty()) {
            server(charts, report);
        }
        return charts.stream().map(LineChart::toHtml).toList();
    }

    private static void percentiles(List<LineChart> charts, Report report) {
        List<Series> series = new ArrayList<>();
        long count = 0;
        for (Kind kind : Kind.values()) {
            Summary summary = report.of(kind);
            if (summary != null && !summary.distribution().isEmpty()) {
                series.add(new Series(kind.text(), kind.text(), points(summary)));
                count = Math.max(count, summary.count());
            }
        }
        if (!series.isEmpty()) {
            charts.add(percentiles("Latency by percentile, ms", series, count));
        }
    }

    /** @param count of the requests of the longest line */
    static LineChart percentiles(String title, List<Series> series, long count) {
        return new LineChart(
                title,
                "share of the requests that were not slower",
                new PercentileScale(count),
                LatencyScale.ofDistributions(series),
                series,
                List.of(),
                List.of());
    }

    /** Each line ends with its slowest request: one of so many. */
    static List<Series.Point> points(Summary summary) {
        double last = 100 - 100.0 / Math.max(1, summary.count());
        return summary.distribution().stream()
                .map(quantile -> new Series.Point(Math.min(last, quantile.percent()), quantile.ms()))
                .toList();
    }

    private static void throughput(List<LineChart> charts, Report report) {
        List<Series> series = new ArrayList<>();
        for (Kind kind : Kind.values()) {
            if (report.of(kind) != null) {
                series.add(overTime(report, kind, kind.text() + "s/s", kind.text(), KindSecond::perSecond));
            }
        }
        if (report.timeline().stream().anyMatch(second -> failed(second) > 0)) {
            series.add(new Series(
                    "errors/s",
                    "error",
                    report.timeline().stream()
                            .map(second -> new Series.Point(middle(second), failed(second) / second.seconds()))
                            .toList()));
        }
        charts.add(new LineChart(
                "Requests answered per second",
                TIME,
                time(report),
                LinearScale.upTo(greatest(series)),
                series,
                List.of(),
                notes(report, second -> {
                    List<String> parts = new ArrayList<>();
                    for (Kind kind : Kind.values()) {
                        KindSecond of = second.of(kind);
                        if (of != null) {
                            parts.add("%s %ss/s".formatted(Numbers.three(of.perSecond()), kind.text()));
                        }
                    }
                    return String.join(", ", parts) + errors(failed(second));
                })));
    }

    private static void latency(List<LineChart> charts, Report report, Kind kind) {
        List<Series> series = List.of(
                overTime(report, kind, "slowest", "max", ifAny(KindSecond::maxMs)),
                overTime(report, kind, "P99", "p99", ifAny(KindSecond::p99Ms)),
                overTime(report, kind, "P50", "p50", ifAny(KindSecond::p50Ms)));
        charts.add(new LineChart(
                "Latency of %ss over time, ms".formatted(kind.text()),
                TIME,
                time(report),
                LatencyScale.ofLines(series),
                series,
                marks(report, kind),
                notes(report, second -> {
                    KindSecond of = second.of(kind);
                    return of == null
                            ? ""
                            : "P50 %s, P99 %s, P99.9 %s, slowest %s ms of %s%s"
                                    .formatted(
                                            Numbers.three(of.p50Ms()),
                                            Numbers.three(of.p99Ms()),
                                            Numbers.three(of.p999Ms()),
                                            Numbers.three(of.maxMs()),
                                            Numbers.count(of.count()),
                                            errors(of.failed()));
                })));
    }

    private static List<Mark> marks(Report report, Kind kind) {
        List<Mark> marks = new ArrayList<>();
        for (GcPause pause : report.gcPauses()) {
            marks.add(new Mark(
                    "GC pause of the load generator",
                    "gc",
                    Mark.Shape.BAND,
                    pause.atSeconds(),
                    pause.atSeconds() + pause.ms() / 1000));
        }
        for (ServerSecond second : report.server()) {
            Double ms = second.gcMs();
            if (ms != null && ms > 0 && second.atSeconds() >= 0) {
                double middle = second.atSeconds() + second.seconds() / 2;
                marks.add(new Mark(
                        "GC of the gateway, all of a second as one",
                        "servergc",
                        Mark.Shape.BAND,
                        middle,
                        middle + ms / 1000));
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

    private static void server(List<LineChart> charts, Report report) {
        List<Series> queue = new ArrayList<>();
        if (report.put() != null) {
            queue.add(ofServer(report, "put", "put", ServerSecond::putQueueMs));
        }
        if (report.get() != null) {
            queue.add(ofServer(report, "get", "get", ServerSecond::getQueueMs));
        }
        charts.add(ofServer(report, "Wait in the gateway's queue, mean in ms", LatencyScale.ofLines(queue), queue));
        if (report.put() == null) {
            return;
        }
        List<Series> time = List.of(
                ofServer(report, "put in the gateway", "put", ServerSecond::putMs),
                ofServer(report, "storage", "storage", ServerSecond::storageMs));
        charts.add(ofServer(
                report,
                "Time of a put in the gateway, and in its storage, mean in ms",
                LatencyScale.ofLines(time),
                time));
        List<Series> share = List.of(ofServer(report, "storage", "storage", second -> {
            Double part = second.storageShare();
            return part == null ? null : 100 * part;
        }));
        charts.add(ofServer(
                report,
                "Storage share of a put's time in the gateway, %",
                LinearScale.upTo(Math.max(100, greatest(share))),
                share));
    }

    private static LineChart ofServer(Report report, String title, AxisScale y, List<Series> series) {
        return new LineChart(title, TIME, time(report), y, series, List.of(), List.of());
    }

    private static Series ofServer(
            Report report, String name, String style, Function<ServerSecond, @Nullable Double> value) {
        List<Series.Point> points = new ArrayList<>();
        for (ServerSecond second : report.server()) {
            double middle = second.atSeconds() + second.seconds() / 2;
            Double y = value.apply(second);
            if (middle >= 0) {
                points.add(new Series.Point(middle, y == null ? Double.NaN : y));
            }
        }
        return new Series(name, style, points);
    }

    private static Series overTime(
            Report report, Kind kind, String name, String style, ToDoubleFunction<KindSecond> value) {
        List<Series.Point> points = new ArrayList<>();
        for (Second second : report.timeline()) {
            KindSecond of = second.of(kind);
            points.add(new Series.Point(middle(second), of == null ? Double.NaN : value.applyAsDouble(of)));
        }
        return new Series(name, style, points);
    }

    /** Where there is no answer, there is no latency either. */
    private static ToDoubleFunction<KindSecond> ifAny(ToDoubleFunction<KindSecond> latency) {
        return second -> second.count() == 0 ? Double.NaN : latency.applyAsDouble(second);
    }

    private static List<Note> notes(Report report, Function<Second, String> text) {
        return report.timeline().stream()
                .map(second -> new Note(
                        second.atSeconds(),
                        second.atSeconds() + second.seconds(),
                        String.format(Locale.ROOT, "%.0f s: %s", second.atSeconds(), text.apply(second))))
                .toList();
    }

    private static String errors(long count) {
        return count == 0 ? "" : "; " + Numbers.count(count) + (count == 1 ? " error" : " errors");
    }

    private static long failed(Second second) {
        KindSecond put = second.put();
        KindSecond get = second.get();
        return (put == null ? 0 : put.failed()) + (get == null ? 0 : get.failed());
    }

    private static double middle(Second second) {
        return second.atSeconds() + second.seconds() / 2;
    }

    private static AxisScale time(Report report) {
        double end = report.timeline().stream()
                .mapToDouble(second -> second.atSeconds() + second.seconds())
                .max()
                .orElse(report.seconds());
        return LinearScale.exactlyTo(end);
    }

    private static List<Double> values(List<Series> series) {
        return series.stream()
                .flatMap(line -> line.points().stream())
                .map(Series.Point::y)
                .toList();
    }

    private static double greatest(List<Series> series) {
        return values(series).stream()
                .mapToDouble(Double::doubleValue)
                .filter(Double::isFinite)
                .max()
                .orElse(0);
    }
}
