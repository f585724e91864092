package io.talosgateway.loadgen.experiment.engine;

/** The results of an experiment in Markdown. Stateless. */
final class ResultText {

    private ResultText() {}

    static String of(Experiment experiment, ResultData data, Results results) {
        StringBuilder text = new StringBuilder();
        text.append(data.machine()).append('\n');
        if (data.interrupted()) {
            text.append("\nIt was interrupted: this is what there was until then.\n");
        }
        for (ResultTable table : ResultTables.of(experiment, results)) {
            text.append('\n').append(table.title()).append(":\n\n").append(table.toMarkdown());
        }
        text.append('\n');
        ResultTables.verdicts(experiment, results)
                .forEach(verdict -> text.append("- ").append(verdict).append('\n'));
        results.measurements().stream()
                .filter(run -> run.failure() != null)
                .forEach(run -> text.append("- round %d, %s, %s failed: %s\n"
                        .formatted(run.round(), run.variant(), run.load(), run.shortFailure())));
        return text.toString();
    }
}
