package io.talosgateway.dashboards;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;

/** A dashboard, as {@code grafana/dashboards.yaml} describes it. */
public record Dashboard(String uid, String title, List<Row> rows) {

    /** Panels under a title. */
    public record Row(String title, List<Panel> panels) {}

    /**
     * A panel.
     *
     * @param type as Grafana calls it
     * @param unit the same
     */
    public record Panel(String title, String type, String unit, String description, List<Query> queries) {}

    /**
     * A query.
     *
     * @param legend with labels in double braces
     */
    public record Query(String legend, String expression) {}

    public static List<Dashboard> readAll() throws IOException {
        List<Dashboard> dashboards = new ArrayList<>();
        for (JsonNode node : DeployFiles.yaml("grafana/dashboards.yaml")) {
            List<Row> rows = new ArrayList<>();
            for (JsonNode row : node.path("rows")) {
                List<Panel> panels = new ArrayList<>();
                row.path("panels").forEach(panel -> panels.add(panel(panel)));
                rows.add(new Row(text(row, "title"), panels));
            }
            dashboards.add(new Dashboard(text(node, "uid"), text(node, "title"), rows));
        }
        return dashboards;
    }

    private static Panel panel(JsonNode node) {
        return new Panel(
                text(node, "title"),
                node.path("type").asText("timeseries"),
                text(node, "unit"),
                text(node, "description"),
                node.has("latency") ? latency(text(node, "latency")) : queries(node.path("queries")));
    }

    private static String text(JsonNode node, String field) {
        if (!node.path(field).isTextual()) {
            throw new IllegalArgumentException("no " + field + " in " + node);
        }
        return node.path(field).asText();
    }

    private static List<Query> queries(JsonNode node) {
        List<Query> queries = new ArrayList<>();
        node.properties()
                .forEach(query ->
                        queries.add(new Query(query.getKey(), query.getValue().asText())));
        return queries;
    }

    /** @param histogram with its matchers */
    private static List<Query> latency(String histogram) {
        int braces = histogram.indexOf('{');
        String name = histogram.substring(0, braces);
        String matchers = histogram.substring(braces);
        return List.of(
                new Query(
                        "mean",
                        "sum(rate(%1$s_sum%2$s[$__rate_interval])) / sum(rate(%1$s_count%2$s[$__rate_interval]))"
                                .formatted(name, matchers)),
                percentile("P75", "0.75", name, matchers),
                percentile("P99", "0.99", name, matchers),
                percentile("P999", "0.999", name, matchers));
    }

    private static Query percentile(String legend, String quantile, String name, String matchers) {
        return new Query(
                legend,
                "histogram_quantile(%s, sum by (le) (rate(%s_bucket%s[$__rate_interval])))"
                        .formatted(quantile, name, matchers));
    }

    /** The queries of all panels. */
    public List<Query> queries() {
        return rows.stream()
                .flatMap(row -> row.panels.stream())
                .flatMap(panel -> panel.queries.stream())
                .toList();
    }
}
