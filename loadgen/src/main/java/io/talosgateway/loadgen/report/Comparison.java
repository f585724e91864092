package io.talosgateway.loadgen.report;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

import com.fasterxml.jackson.databind.JsonNode;
import io.talosgateway.loadgen.chart.Chart;
import io.talosgateway.loadgen.chart.Numbers;
import io.talosgateway.loadgen.chart.Page;
import io.talosgateway.loadgen.chart.Series;
import io.talosgateway.loadgen.chart.Table;
import io.talosgateway.loadgen.chart.Table.Cell;
import io.talosgateway.loadgen.cli.LoadFailure;
import io.talosgateway.loadgen.measure.Kind;
import io.talosgateway.loadgen.measure.Metric;

/**
 * Runs side by side. The first, A, is what the others are compared with. Older results lack some fields.
 *
 * @param names of the runs, as the user named them
 * @param results what came of them
 */
record Comparison(List<String> names, List<RunResult> results) {

    private static final String NONE = "-";
    /** Smaller differences between single runs are mostly noise, and are not coloured. */
    private static final double NOISE = 0.05;

    /**
     * Reads runs.
     *
     * @param paths of their folders, or of the {@code result.json} in them
     * @throws LoadFailure with a sentence for the user
     */
    static Comparison read(List<Path> paths) {
        return new Comparison(
                paths.stream().map(Path::toString).toList(),
                paths.stream().map(RunResult::read).toList());
    }

    /** The name of a run in a table: A, B, and so on. */
    private static String letter(int run) {
        return run < 26 ? String.valueOf((char) ('A' + run)) : "#" + (run + 1);
    }

    /** A row for each measure that a run has, with the ratios to the first run. */
    Table measures() {
        List<String> head = new ArrayList<>(List.of(""));
        for (int run = 0; run < names.size(); run++) {
            head.add(letter(run));
            if (run > 0) {
                head.add(letter(run) + "/A");
            }
        }
        Table table = new Table("Side by side", "lr", head);
        List<Map<String, Double>> values =
                results.stream().map(run -> Metric.values(run.json())).toList();
        for (Metric metric : Metric.all()) {
            double[] ofRuns = values.stream()
                    .mapToDouble(run -> run.getOrDefault(metric.key(), Double.NaN))
                    .toArray();
            if (Arrays.stream(ofRuns).anyMatch(Double::isFinite)) {
                table.addCells(row(metric, ofRuns));
            }
        }
        return table;
    }

    private static List<Cell> row(Metric metric, double[] values) {
        List<Cell> row = new ArrayList<>(List.of(new Cell(metric.title(), "text")));
        for (int run = 0; run < values.length; run++) {
            row.add(new Cell(Double.isFinite(values[run]) ? Numbers.three(values[run]) : NONE, ""));
            if (run > 0) {
                double ratio = values[run] / values[0];
                String text = Double.isFinite(ratio) ? String.format(Locale.ROOT, "%.2f", ratio) : NONE;
                row.add(new Cell(text, verdict(ratio, metric.better())));
            }
        }
        return row;
    }

    /** A class of the page's styles. */
    private static String verdict(double ratio, Metric.Better better) {
        if (!Double.isFinite(ratio) || better == Metric.Better.NEITHER || Math.abs(ratio - 1) <= NOISE) {
            return "";
        }
        return better.holds(ratio) ? "better" : "worse";
    }

    /** What the runs were told differently; with any, ratios may say nothing. */
    Table differences() {
        List<String> head = new ArrayList<>(List.of(""));
        Set<String> names = new LinkedHashSet<>();
        List<Map<String, String>> told = results.stream().map(RunResult::told).toList();
        for (Map<String, String> run : told) {
            head.add(letter(head.size() - 1));
            names.addAll(run.keySet());
        }
        Table table = new Table("The runs are not alike", "lr", head);
        for (String name : names) {
            List<String> row = new ArrayList<>(List.of(name));
            told.forEach(run -> row.add(run.getOrDefault(name, NONE)));
            if (row.stream().skip(1).distinct().count() > 1) {
                table.add(row);
            }
        }
        return table;
    }

    Page page() {
        String title = "Comparison of " + names.size() + " runs";
        Page page = new Page(title);
        page.element("h1", title);
        Table runs = new Table("", "rl", List.of("", "run", "begun at", "gateway"));
        for (int run = 0; run < names.size(); run++) {
            JsonNode result = results.get(run).json();
            runs.add(
                    letter(run),
                    names.get(run),
                    result.path("startedAt").asText("unknown"),
                    result.path("endpoint").asText());
        }
        page.add(runs);
        page.add(differences());
        for (Kind kind : Kind.values()) {
            List<Series> series = percentiles(kind);
            if (!series.isEmpty()) {
                page.add(Chart.percentiles("Latency of %ss by percentile, ms".formatted(kind.text()), series));
            }
        }
        page.add(measures());
        page.element("p", "Ratios are to A. Of single runs, a twentieth more or less is mostly noise.");
        return page;
    }

    private List<Series> percentiles(Kind kind) {
        return IntStream.range(0, names.size())
                .boxed()
                .flatMap(run ->
                        results
                                .get(run)
                                .percentiles(kind, letter(run) + "  " + names.get(run), Series.style(run))
                                .stream())
                .toList();
    }
}
