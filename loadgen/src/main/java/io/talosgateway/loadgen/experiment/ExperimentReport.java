package io.talosgateway.loadgen.experiment;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.talosgateway.loadgen.chart.Page;
import io.talosgateway.loadgen.chart.Table;
import io.talosgateway.loadgen.report.Environment;

/**
 * What came of an experiment, as {@code result.json}, as a page and in Markdown.
 *
 * @param startedAt UTC
 * @param interrupted whether runs are missing
 */
record ExperimentReport(
        Experiment experiment,
        TrialSettings settings,
        String startedAt,
        boolean interrupted,
        Environment environment,
        Results results) {

    /** Grows when a field of {@code result.json} changes its meaning. */
    private static final int FORMAT = 2;

    private static final String INTERRUPTED = "It was interrupted: this is what there was until then.";

    private record TrialText(String load, String variant, String server, String client) {}

    private List<TrialText> trials() {
        return results.trials().stream()
                .map(trial -> new TrialText(
                        trial.load(), trial.variant(), trial.server().text(), "bin/talos-loadgen " + trial.client()))
                .toList();
    }

    /** The fields of {@code result.json}, which are only ever added to. */
    Map<String, Object> json() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("format", FORMAT);
        fields.put("experiment", experiment.name());
        fields.put("question", experiment.question());
        fields.put("scale", settings.scale().text());
        fields.put("storage", settings.storage().text());
        fields.put("dataNodes", settings.dataNodes());
        fields.put("rounds", settings.rounds());
        fields.put("warmup", settings.warmup().text());
        fields.put("seconds", seconds());
        fields.put("seed", settings.seed());
        fields.put("startedAt", startedAt);
        fields.put("interrupted", interrupted);
        fields.put("environment", environment);
        fields.put("trials", trials());
        fields.put("runs", results.measurements());
        return fields;
    }

    private double seconds() {
        return settings.duration().toMillis() / 1000.0;
    }

    /** Circumstances in a line. */
    private String machine() {
        int dataNodes = settings.dataNodes();
        int rounds = settings.rounds();
        return "%d processors, %,d MiB, %s, %s; %s; %s storage; %d round%s of %.0f s after a warm-up (%s); begun at %s"
                .formatted(
                        environment.processors(),
                        environment.memoryMiB(),
                        environment.system(),
                        environment.java(),
                        "scale " + settings.scale().text(),
                        settings.storage() == StorageKind.HDFS
                                ? "HDFS with %d DataNode%s as".formatted(dataNodes, dataNodes == 1 ? "" : "s")
                                : "local",
                        rounds,
                        rounds == 1 ? "" : "s",
                        seconds(),
                        settings.warmup().text(),
                        startedAt);
    }

    private List<String> failures() {
        return results.measurements().stream()
                .filter(run -> run.failure() != null)
                .map(run -> "round %d, %s, %s failed: %s"
                        .formatted(run.round(), run.variant(), run.load(), run.shortFailure()))
                .toList();
    }

    String markdown() {
        StringBuilder text = new StringBuilder(machine()).append('\n');
        if (interrupted) {
            text.append('\n').append(INTERRUPTED).append('\n');
        }
        for (Table table : ResultTables.of(experiment, results)) {
            text.append('\n').append(table.title()).append(":\n\n").append(table.toMarkdown());
        }
        text.append('\n');
        failures().forEach(failure -> text.append("- ").append(failure).append('\n'));
        return text.toString();
    }

    /** A page that needs nothing but itself. */
    String page() {
        Page page = new Page("Experiment " + experiment.name());
        page.element("h1", experiment.question());
        page.element("p", "Experiment %s. %s".formatted(experiment.name(), machine()));
        if (interrupted) {
            page.warning(INTERRUPTED);
        }
        failures().forEach(failure -> page.warning(failure.replaceFirst("r", "R")));
        Plot.charts(experiment.plots(), results).forEach(page::add);
        ResultTables.of(experiment, results).forEach(page::add);
        experiment.remarks().forEach(remark -> page.element("p", remark));
        page.element("h2", "What was done");
        experiment.description().forEach(paragraph -> page.element("p", paragraph));
        Table programs = new Table("", "l", List.of("load", "variant", "server", "client"));
        trials().forEach(trial -> programs.add(trial.load, trial.variant, trial.server, trial.client));
        page.add(programs);
        page.add(ResultTables.runs(experiment, results));
        return page.toHtml();
    }
}
