package io.talosgateway.loadgen.report;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

import io.talosgateway.loadgen.chart.Chart;
import io.talosgateway.loadgen.chart.Page;
import io.talosgateway.loadgen.chart.Series;
import io.talosgateway.loadgen.chart.Table;
import io.talosgateway.loadgen.chart.Table.Cell;
import io.talosgateway.loadgen.measure.Better;
import io.talosgateway.loadgen.measure.Kind;
import io.talosgateway.loadgen.measure.Quantile;
import io.talosgateway.loadgen.measure.Summary;

/** A comparison as a page with plots, which needs nothing but itself. Stateless. */
final class ComparisonPage {

    /** Smaller differences between single runs are mostly noise, and are not coloured. */
    private static final double NOISE = 0.05;

    private ComparisonPage() {}

    static String of(List<StoredRun> runs) {
        Comparison comparison = Comparison.of(runs);
        Page page = new Page("Comparison of " + runs.size() + " runs");
        page.element("h1", "Comparison of " + runs.size() + " runs");
        page.add(names(runs));
        if (!comparison.differences().isEmpty()) {
            page.add(differences(comparison));
        }
        for (Kind kind : Kind.values()) {
            percentiles(page, runs, kind);
        }
        page.add(measures(comparison));
        page.element("p", "Ratios are to A. Coloured where they differ from 1 by more than a twentieth.");
        return page.toHtml();
    }

    private static Table names(List<StoredRun> runs) {
        Table table = new Table("", "rl", List.of("", "run", "begun at", "gateway"));
        for (int run = 0; run < runs.size(); run++) {
            Report report = runs.get(run).report();
            String startedAt = report.startedAt();
            table.add(
                    ComparisonText.letter(run),
                    runs.get(run).name(),
                    startedAt == null ? "unknown" : startedAt,
                    report.endpoint());
        }
        return table;
    }

    private static Table differences(Comparison comparison) {
        List<String> head = new ArrayList<>(List.of(""));
        for (int run = 0; run < comparison.names().size(); run++) {
            head.add(ComparisonText.letter(run));
        }
        Table table = new Table("The runs are not alike", "lr", head);
        for (Comparison.Difference difference : comparison.differences()) {
            List<String> row = new ArrayList<>(List.of(difference.name()));
            row.addAll(difference.values());
            table.add(row);
        }
        return table;
    }

    private static Table measures(Comparison comparison) {
        List<String> head = new ArrayList<>(List.of(""));
        for (int run = 0; run < comparison.names().size(); run++) {
            head.add(ComparisonText.letter(run));
            if (run > 0) {
                head.add(ComparisonText.letter(run) + " / A");
            }
        }
        Table table = new Table("Side by side", "lr", head);
        for (Comparison.Row row : comparison.rows()) {
            List<Cell> cells = new ArrayList<>();
            cells.add(new Cell(row.kind().text() + " " + row.measure().text(), "text"));
            for (int run = 0; run < comparison.names().size(); run++) {
                cells.add(new Cell(ComparisonText.value(row, run), ""));
                if (run > 0) {
                    cells.add(new Cell(ComparisonText.ratio(row, run), verdict(row, run)));
                }
            }
            table.addCells(cells);
        }
        return table;
    }

    /** A class of the page's styles. */
    private static String verdict(Comparison.Row row, int run) {
        OptionalDouble ratio = row.ratio(run);
        Better better = row.measure().better();
        if (ratio.isEmpty() || better == Better.NEITHER || Math.abs(ratio.getAsDouble() - 1) <= NOISE) {
            return "";
        }
        return better.holds(ratio.getAsDouble()) ? "better" : "worse";
    }

    private static void percentiles(Page page, List<StoredRun> runs, Kind kind) {
        List<Series> series = new ArrayList<>();
        for (int run = 0; run < runs.size(); run++) {
            Summary summary = runs.get(run).report().of(kind);
            if (summary != null && !summary.distribution().isEmpty()) {
                series.add(Quantile.line(
                        ComparisonText.letter(run) + "  " + runs.get(run).name(),
                        Series.style(run),
                        summary.distribution(),
                        summary.count()));
            }
        }
        if (!series.isEmpty()) {
            page.add(Chart.percentiles("Latency of %ss by percentile, ms".formatted(kind.text()), series));
        }
    }
}
