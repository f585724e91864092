package io.talosgateway.loadgen.experiment.engine;

import java.util.ArrayList;
import java.util.List;

import io.talosgateway.loadgen.chart.Html;
import io.talosgateway.loadgen.chart.LineChart;
import io.talosgateway.loadgen.chart.Page;

/** The results of an experiment as a page that needs nothing but itself. Stateless. */
final class ResultPage {

    private ResultPage() {}

    static String of(TrialComparison comparison, ResultData data, Results results, List<LineChart> charts) {
        Page page = new Page("Experiment " + comparison.name());
        page.element("h1", comparison.question());
        page.element("p", "Experiment %s. %s".formatted(comparison.name(), data.machine()));
        if (data.interrupted()) {
            warning(page, "It was interrupted: this is what there was until then.");
        }
        results.measurements().stream()
                .filter(run -> run.failure() != null)
                .forEach(run -> warning(
                        page,
                        "Round %d, %s, %s failed: %s"
                                .formatted(run.round(), run.variant(), run.load(), run.shortFailure())));
        for (ResultTable table : ResultTables.of(comparison, results)) {
            page.element("h2", table.title());
            page.add(table.toHtml().toHtml());
        }
        ResultTables.verdicts(comparison, results).forEach(verdict -> page.element("p", verdict + "."));
        comparison.remarks().forEach(remark -> page.element("p", remark));
        if (!charts.isEmpty()) {
            page.element("h2", "Plots");
            charts.forEach(chart -> page.add(chart.toHtml()));
        }
        page.element("h2", "What was done");
        comparison.description().forEach(paragraph -> page.element("p", paragraph));
        page.add(programs(data).toHtml().toHtml());
        ResultTable runs = ResultTables.runs(comparison, results);
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
            rows.add(List.of(trial.load(), trial.variant(), trial.server(), String.join("; ", trial.clients())));
        }
        return new ResultTable("", 4, List.of("load", "variant", "server", "clients"), rows);
    }
}
