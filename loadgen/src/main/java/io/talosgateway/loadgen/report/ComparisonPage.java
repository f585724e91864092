package io.talosgateway.loadgen.report;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

import io.talosgateway.loadgen.chart.Page;
import io.talosgateway.loadgen.chart.Series;
import io.talosgateway.loadgen.chart.Table;
import io.talosgateway.loadgen.chart.Table.Cell;
import io.talosgateway.loadgen.measure.Kind;
import io.talosgateway.loadgen.measure.Summary;

/** A comparison as a page with plots, which needs nothing but itself. Stateless. */
final class ComparisonPage {

    /** Smaller differences between single runs are mostly noise, and are not coloured. */
    private static final double NOISE = 0.05;

    private static final int COLOURS = 6;

    private ComparisonPage() {}

    static String of(List<StoredRun> runs) {
        Comparison comparison = Comparison.of(runs);
        Page page = new Page("Comparison of " + runs.size() + " runs");
        page.element("h1", "Comparison of " + runs.size() + " runs");
        page.add(names(runs).toHtml());
        if (!comparison.differences().isEmpty()) {
            page.element("h2", "The runs are not alike");
            page.add(differences(comparison).toHtml());
        }
        for (Kind kind : Kind.values()) {
            percentiles(page, runs, kind);
        }
        page.element("h2", "Side by side");
        page.add(measures(comparison).toHtml());
        page.element("p", "Ratios are to A. Coloured where they differ from 1 by more than a twentieth.");
        return page.toHtml();
    }

    private static Table names(List<StoredRun> runs) {
        Table table = new Table(List.of(Cell.of(""), Cell.text("run"), Cell.text("begun at"), Cell.text("gateway")));
        for (int run = 0; run < runs.size(); run++) {
            Report report = runs.get(run).report();
            String startedAt = report.startedAt();
            table.add(List.of(
                    Cell.of(ComparisonText.letter(run)),
                    Cell.text(runs.get(run).name()),
                    Cell.text(startedAt == null ? "unknown" : startedAt),
                    Cell.text(report.endpoint())));
        }
        return table;
    }

    private static Table differences(Comparison comparison) {
        List<Cell> head = new ArrayList<>(List.of(Cell.of("")));
        for (int run = 0; run < comparison.names().size(); run++) {
            head.add(Cell.of(ComparisonText.letter(run)));
        }
        Table table = new Table(head);
        for (Comparison.Difference difference : comparison.differences()) {
            List<Cell> row = new ArrayList<>(List.of(Cell.text(difference.name())));
            difference.values().forEach(value -> row.add(Cell.of(value)));
            table.add(row);
        }
        return table;
    }

    private static Table measures(Comparison comparison) {
        List<Cell> head = new ArrayList<>(List.of(Cell.of("")));
        for (int run = 0; run < comparison.names().size(); run++) {
            head.add(Cell.of(ComparisonText.letter(run)));
            if (run > 0) {
                head.add(Cell.of(ComparisonText.letter(run) + " / A"));
            }
        }
        Table table = new Table(head);
        for (Comparison.Row row : comparison.rows()) {
            List<Cell> cells = new ArrayList<>();
            cells.add(Cell.text(row.kind().text() + " " + row.measure().text()));
            for (int run = 0; run < comparison.names().size(); run++) {
                cells.add(Cell.of(ComparisonText.value(row, run)));
                if (run > 0) {
                    cells.add(new Cell(ComparisonText.ratio(row, run), verdict(row, run)));
                }
            }
            table.add(cells);
        }
        return table;
    }

    /** A class of the page's styles. */
    private static String verdict(Comparison.Row row, int run) {
        OptionalDouble ratio = row.ratio(run);
        if (ratio.isEmpty()
                || row.measure().better() == Measure.Better.NEITHER
                || Math.abs(ratio.getAsDouble() - 1) <= NOISE) {
            return "";
        }
        boolean more = ratio.getAsDouble() > 1;
        return more == (row.measure().better() == Measure.Better.MORE) ? "better" : "worse";
    }

    private static void percentiles(Page page, List<StoredRun> runs, Kind kind) {
        List<Series> series = new ArrayList<>();
        for (int run = 0; run < runs.size(); run++) {
            Summary summary = runs.get(run).report().of(kind);
            if (summary != null && !summary.distribution().isEmpty()) {
                series.add(new Series(
                        ComparisonText.letter(run) + "  " + runs.get(run).name(),
                        "r" + (run % COLOURS + 1),
                        ReportCharts.points(summary)));
            }
        }
        if (!series.isEmpty()) {
            page.add(ReportCharts.percentiles("Latency of %ss by percentile, ms".formatted(kind.text()), series)
                    .toHtml());
        }
    }
}
