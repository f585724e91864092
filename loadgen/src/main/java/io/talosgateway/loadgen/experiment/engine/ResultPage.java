package io.talosgateway.loadgen.experiment.engine;

import java.util.ArrayList;
import java.util.List;

import io.talosgateway.loadgen.chart.Chart;
import io.talosgateway.loadgen.chart.Html;
import io.talosgateway.loadgen.chart.Page;

/** The results of an experiment as a page that needs nothing but itself. Stateless. */
final class ResultPage {

    private ResultPage() {}

    static String of(Experiment experiment, ResultData data, Results results, List<Chart> charts) {
        Page page = new Page("Experiment " + experiment.name());
        page.element("h1", experiment.question());
        page.element("p", "Experiment %s. %s".formatted(experiment.name(), data.machine()));
        if (data.interrupted()) {
            warning(page, "It was interrupted: this is what there was until then.");
        }
        results.measurements().stream()
                .filter(run -> run.failure() != null)
                .forEach(run -> warning(
                        page,
                        "Round %d, %s, %s failed: %s"
                                .formatted(run.round(), run.variant(), run.load(), run.shortFailure())));
        charts.forEach(chart -> page.add(chart.toHtml()));
        for (ResultTable table : ResultTables.of(experiment, results)) {
            page.element("h2", table.title());
            page.add(table.toHtml().toHtml());
        }
        ResultTables.verdicts(experiment, results).forEach(verdict -> page.element("p", verdict + "."));
        experiment.remarks().forEach(remark -> page.element("p", remark));
        page.element("h2", "What was done");
        experiment.description().forEach(paragraph -> page.element("p", paragraph));
        page.add(programs(data).toHtml().toHtml());
        ResultTable runs = ResultTables.runs(experiment, results);
        page.element("h2", runs.title());
        page.add(runs.toHtml().toHtml());
        return page.toHtml();
    }

    private static void warning(Page page, String text) {
        page.add("<p class=\"warning\">" + Html.escape(text) + "</p>");
    }

    private static ResultTable programs(ResultData data) {
        List<List<String>> rows = new ArrayList<>();
        for (ResultData.TrialText trial : data.trials()) {
            rows.add(List.of(trial.load(), trial.variant(), trial.server(), trial.client()));
        }
        return new ResultTable("", 4, List.of("load", "variant", "server", "client"), rows);
    }
}
