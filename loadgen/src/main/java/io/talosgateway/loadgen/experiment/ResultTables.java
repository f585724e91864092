package io.talosgateway.loadgen.experiment;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import java.util.stream.Stream;

import io.talosgateway.loadgen.chart.Numbers;
import io.talosgateway.loadgen.chart.Table;
import io.talosgateway.loadgen.measure.Metric;

/** The tables of an experiment: medians over the rounds. Stateless. */
final class ResultTables {

    private static final String NONE = "–";

    private ResultTables() {}

    static List<Table> of(Experiment experiment, Results results) {
        return Stream.of(medians(experiment, results), ratios(experiment, results))
                .filter(table -> !table.rows().isEmpty())
                .toList();
    }

    /** A row for each trial; the first measure with its least and greatest value. */
    static Table medians(Experiment experiment, Results results) {
        Map<String, Function<Trial, String>> texts = new LinkedHashMap<>();
        if (results.loads().size() > 1) {
            texts.put("load", Trial::load);
        }
        if (results.trials().stream().map(Trial::variant).distinct().count() > 1) {
            texts.put("variant", Trial::variant);
        }
        List<Metric> columns = experiment.columns().stream()
                .filter(metric -> results.trials().stream()
                        .anyMatch(trial -> !results.values(trial, metric).isEmpty()))
                .toList();
        List<String> head = new ArrayList<>(texts.keySet());
        columns.forEach(metric -> head.add(metric.title()));
        Table table = new Table("Medians over the rounds", "l".repeat(texts.size()) + "r", head);
        for (Trial trial : results.trials()) {
            if (!results.of(trial).isEmpty()) {
                List<String> row = new ArrayList<>();
                texts.values().forEach(text -> row.add(text.apply(trial)));
                for (int column = 0; column < columns.size(); column++) {
                    row.add(cell(results.values(trial, columns.get(column)), column == 0, Numbers::three));
                }
                table.add(row);
            }
        }
        return table;
    }

    /** The median, and with a range the least and the greatest value, if there are several. */
    private static String cell(List<Double> values, boolean range, DoubleFunction<String> number) {
        if (values.isEmpty()) {
            return NONE;
        }
        String median = number.apply(Results.median(values));
        return range && values.size() > 1
                ? "%s (%s–%s)"
                        .formatted(median, number.apply(Collections.min(values)), number.apply(Collections.max(values)))
                : median;
    }

    /** A row for each measure of each load. */
    static Table ratios(Experiment experiment, Results results) {
        List<Experiment.Contrast> contrasts = experiment.contrasts().stream()
                .filter(contrast -> results.loads().stream()
                        .anyMatch(load -> experiment.contrasted().stream()
                                .anyMatch(metric ->
                                        !results.ratios(load, contrast, metric).isEmpty())))
                .toList();
        boolean loads = results.loads().size() > 1;
        List<String> head = new ArrayList<>();
        if (loads) {
            head.add("load");
        }
        head.add("measure");
        contrasts.forEach(contrast -> head.add(contrast.text()));
        Table table = new Table("Ratios within a round: median (least–greatest)", loads ? "llr" : "lr", head);
        for (String load : results.loads()) {
            for (Metric metric : experiment.contrasted()) {
                List<String> ratios = contrasts.stream()
                        .map(contrast -> cell(
                                results.ratios(load, contrast, metric),
                                true,
                                ratio -> String.format(Locale.ROOT, "%.2f", ratio)))
                        .toList();
                if (ratios.stream().anyMatch(cell -> !cell.equals(NONE))) {
                    List<String> row = new ArrayList<>(loads ? List.of(load, metric.title()) : List.of(metric.title()));
                    row.addAll(ratios);
                    table.add(row);
                }
            }
        }
        return table;
    }

    /** A row for each run, failures too. */
    static Table runs(Experiment experiment, Results results) {
        List<String> head = new ArrayList<>(List.of("round", "load", "variant"));
        experiment.columns().forEach(metric -> head.add(metric.title()));
        Table table = new Table("Every run, in the order in which they were made", "lllr", head);
        for (Measurement run : results.measurements()) {
            List<String> row = new ArrayList<>(List.of(Integer.toString(run.round()), run.load(), run.variant()));
            for (Metric metric : experiment.columns()) {
                double value = run.value(metric.key());
                row.add(Double.isFinite(value) ? Numbers.three(value) : NONE);
            }
            table.add(row);
        }
        return table;
    }
}
