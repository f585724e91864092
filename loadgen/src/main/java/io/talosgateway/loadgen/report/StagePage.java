package io.talosgateway.loadgen.report;

import java.util.List;
import java.util.Locale;

import io.talosgateway.loadgen.chart.Html;
import io.talosgateway.loadgen.chart.Page;
import io.talosgateway.loadgen.chart.Table;
import io.talosgateway.loadgen.chart.Table.Cell;
import io.talosgateway.loadgen.stages.StageText;
import io.talosgateway.loadgen.stages.StageTimes;

/** Where the time went, on a page. Stateless. */
final class StagePage {

    private StagePage() {}

    /** A heading and a table for each kind of request. */
    static void add(Page page, List<StageTimes> kinds) {
        for (StageTimes kind : kinds) {
            page.element("h2", "Where the time of a %s goes".formatted(kind.request()));
            page.element(
                    "p",
                    String.format(
                            Locale.ROOT,
                            "%,d requests of a client beside the load, %.3f ms in the mean.",
                            kind.samples(),
                            kind.meanMs()));
            if (kind.problem() != null) {
                warning(page, "Not every request could be timed: " + kind.problem() + ".");
            }
            if (!kind.oneClock()) {
                warning(page, StageText.OTHER_CLOCK);
            }
            page.add(table(kind).toHtml());
        }
    }

    private static void warning(Page page, String text) {
        page.add("<p class=\"warning\">" + Html.escape(text) + "</p>");
    }

    private static Table table(StageTimes kind) {
        Table table = new Table(List.of(
                Cell.text("from - to"),
                Cell.of("requests"),
                Cell.of("mean ms"),
                Cell.of("P50 ms"),
                Cell.of("P99 ms"),
                Cell.of("share")));
        for (StageTimes.Step step : kind.steps()) {
            table.add(List.of(
                    Cell.text(step.from() + " - " + step.to()),
                    Cell.of(String.format(Locale.ROOT, "%,d", step.count())),
                    Cell.of(String.format(Locale.ROOT, "%.4f", step.meanMs())),
                    Cell.of(String.format(Locale.ROOT, "%.4f", step.p50Ms())),
                    Cell.of(String.format(Locale.ROOT, "%.4f", step.p99Ms())),
                    Cell.of(String.format(Locale.ROOT, "%.1f %%", 100 * step.share()))));
        }
        return table;
    }
}
