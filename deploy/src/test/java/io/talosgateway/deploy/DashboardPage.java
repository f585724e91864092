package io.talosgateway.deploy;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.fasterxml.jackson.databind.JsonNode;
import io.talosgateway.dashboards.Dashboard;
import io.talosgateway.dashboards.Dashboard.Panel;
import io.talosgateway.dashboards.Dashboard.Query;
import io.talosgateway.loadgen.chart.Chart;
import io.talosgateway.loadgen.chart.Chart.Axis;
import io.talosgateway.loadgen.chart.Page;
import io.talosgateway.loadgen.chart.Series;

/** The panels of a dashboard as a page, with what Prometheus has: for who has no Grafana. Stateless. */
final class DashboardPage {

    private static final int MOST_SERIES = 8;
    private static final Pattern LABEL = Pattern.compile("\\{\\{(\\w+)}}");
    private static final Map<String, String> UNITS = Map.of(
            "s", "seconds",
            "reqps", "per second",
            "ops", "per second",
            "percentunit", "share",
            "bytes", "bytes",
            "Bps", "bytes per second",
            "none", "number");
    private static final String STYLES = """
            <style>
            main { max-width: none; }
            .row { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 26rem), 1fr)); gap: 1rem; }
            .row figure { margin: 0; min-width: 0; }
            .stat b { font-size: 2.2rem; font-weight: 600; }
            </style>
            """;

    private DashboardPage() {}

    static String of(Dashboard dashboard, PrometheusProcess prometheus, PrometheusProcess.Window window)
            throws Exception {
        Page page = new Page(dashboard.title());
        page.add(STYLES);
        page.element("h1", dashboard.title());
        for (Dashboard.Row row : dashboard.rows()) {
            page.element("h2", row.title());
            page.add("<div class=\"row\">");
            for (Panel panel : row.panels()) {
                add(page, panel, series(panel, prometheus, window));
            }
            page.add("</div>");
        }
        return page.toHtml();
    }

    private static void add(Page page, Panel panel, List<Series> series) {
        String title = "%s (%s)".formatted(panel.title(), UNITS.getOrDefault(panel.unit(), panel.unit()));
        if (!panel.type().equals("stat")) {
            page.add(new Chart(title, "seconds", Axis.LINEAR, Axis.LINEAR, series, List.of()));
            return;
        }
        StringBuilder figure =
                new StringBuilder("<figure class=\"stat\"><figcaption>%s</figcaption>".formatted(Page.escape(title)));
        for (Series one : series) {
            double last = one.points().get(one.points().size() - 1).y();
            figure.append("<b>%s</b> %s ".formatted(String.format(Locale.ROOT, "%.4g", last), Page.escape(one.name())));
        }
        page.add(figure.append("</figure>").toString());
    }

    /** At most {@value #MOST_SERIES}. */
    private static List<Series> series(Panel panel, PrometheusProcess prometheus, PrometheusProcess.Window window)
            throws Exception {
        List<Series> series = new ArrayList<>();
        for (Query query : panel.queries()) {
            for (JsonNode found : prometheus.range(query.expression(), window)) {
                List<Series.Point> points = points(found.path("values"), window);
                if (series.size() < MOST_SERIES && !points.isEmpty()) {
                    series.add(new Series(
                            name(query.legend(), found.path("metric")), Series.style(series.size()), points));
                }
            }
        }
        return series;
    }

    private static String name(String legend, JsonNode labels) {
        return LABEL.matcher(legend)
                .replaceAll(label ->
                        Matcher.quoteReplacement(labels.path(label.group(1)).asText()));
    }

    /** Without those that are infinite or not a number: Prometheus has no quantile where nothing was measured. */
    private static List<Series.Point> points(JsonNode values, PrometheusProcess.Window window) {
        List<Series.Point> points = new ArrayList<>();
        for (JsonNode value : values) {
            String text = value.get(1).asText();
            if (!text.endsWith("Inf") && !text.equals("NaN")) {
                points.add(new Series.Point(
                        value.get(0).asDouble() - window.end() + window.seconds(), Double.parseDouble(text)));
            }
        }
        return points;
    }
}
