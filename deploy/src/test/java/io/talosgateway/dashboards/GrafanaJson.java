package io.talosgateway.dashboards;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.talosgateway.dashboards.Dashboard.Panel;
import io.talosgateway.dashboards.Dashboard.Query;
import io.talosgateway.dashboards.Dashboard.Row;

/** A dashboard as Grafana 10 and later reads it. Three panels side by side, under the titles of the rows. */
final class GrafanaJson {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int SCHEMA_VERSION = 38;
    private static final int WIDTH = 8;
    private static final int PANELS_ABREAST = 3;
    private static final int HEIGHT = 8;

    private final ArrayNode panels = JSON.createArrayNode();
    private int x;
    private int y;

    private GrafanaJson() {}

    static String of(Dashboard dashboard) {
        GrafanaJson grafana = new GrafanaJson();
        dashboard.rows().forEach(grafana::add);
        ObjectNode document = JSON.createObjectNode()
                .put("uid", dashboard.uid())
                .put("title", dashboard.title())
                .put("schemaVersion", SCHEMA_VERSION)
                .put("version", 1)
                .put("editable", true)
                .put("graphTooltip", 1)
                .put("refresh", "30s");
        document.putArray("tags").add("talos-gateway");
        document.putObject("time").put("from", "now-1h").put("to", "now");
        document.set("templating", JSON.createObjectNode().set("list", variables()));
        document.putArray("links")
                .addObject()
                .put("type", "dashboards")
                .put("title", "Talos Gateway")
                .put("includeVars", true)
                .put("keepTime", true)
                .putArray("tags")
                .add("talos-gateway");
        document.set("panels", grafana.panels);
        return written(document);
    }

    private static ArrayNode variables() {
        ArrayNode variables = JSON.createArrayNode();
        variables
                .addObject()
                .put("name", "datasource")
                .put("label", "Prometheus")
                .put("type", "datasource")
                .put("query", "prometheus");
        ObjectNode host = variables
                .addObject()
                .put("name", "host")
                .put("label", "Host")
                .put("type", "query")
                .put("query", "label_values(talos_ready, instance)")
                .put("refresh", 2)
                .put("multi", true)
                .put("includeAll", true)
                .put("allValue", ".*");
        host.set("datasource", datasource());
        host.putObject("current").put("text", "All").put("value", "$__all");
        return variables;
    }

    private static ObjectNode datasource() {
        return JSON.createObjectNode().put("type", "prometheus").put("uid", "${datasource}");
    }

    private void add(Row row) {
        ObjectNode title = panel("row", row.title());
        title.put("collapsed", false).putArray("panels");
        place(title, PANELS_ABREAST * WIDTH, 1);
        for (Panel one : row.panels()) {
            add(one);
        }
        if (x > 0) {
            x = 0;
            y += HEIGHT;
        }
    }

    private void add(Panel one) {
        ObjectNode panel = panel(one.type(), one.title());
        panel.put("description", one.description());
        panel.set("datasource", datasource());
        ObjectNode defaults = panel.putObject("fieldConfig").putObject("defaults");
        defaults.put("unit", one.unit());
        defaults.put("min", 0);
        options(panel, one);
        ArrayNode targets = panel.putArray("targets");
        char name = 'A';
        for (Query query : one.queries()) {
            target(targets.addObject(), one, query, String.valueOf(name++));
        }
        place(panel, WIDTH, HEIGHT);
    }

    private static void options(ObjectNode panel, Panel one) {
        if (one.type().equals("heatmap")) {
            panel.putObject("options")
                    .put("calculate", false)
                    .putObject("yAxis")
                    .put("unit", one.unit());
        }
        if (one.type().equals("table")) {
            // One line for each host, and a column for each query, with its legend.
            ArrayNode steps = panel.putArray("transformations");
            steps.addObject().put("id", "merge").putObject("options");
            ObjectNode columns = steps.addObject().put("id", "organize").putObject("options");
            columns.putObject("excludeByName").put("Time", true);
            ObjectNode renamed = columns.putObject("renameByName");
            char query = 'A';
            for (Query column : one.queries()) {
                renamed.put("Value #" + query++, column.legend());
            }
        }
    }

    private static void target(ObjectNode target, Panel panel, Query query, String name) {
        boolean now = panel.type().equals("table");
        target.put("refId", name)
                .put("expr", query.expression())
                .put("legendFormat", query.legend())
                .put("instant", now)
                .put("range", !now)
                .put("format", now ? "table" : panel.type().equals("heatmap") ? "heatmap" : "time_series");
        target.set("datasource", datasource());
    }

    private ObjectNode panel(String type, String title) {
        return panels.addObject().put("id", panels.size()).put("type", type).put("title", title);
    }

    private void place(ObjectNode panel, int width, int height) {
        panel.putObject("gridPos").put("h", height).put("w", width).put("x", x).put("y", y);
        x += width;
        if (x >= PANELS_ABREAST * WIDTH) {
            x = 0;
            y += height;
        }
    }

    private static String written(ObjectNode document) {
        DefaultIndenter indent = new DefaultIndenter("  ", "\n");
        DefaultPrettyPrinter printer = new DefaultPrettyPrinter();
        printer.indentObjectsWith(indent);
        printer.indentArraysWith(indent);
        try {
            return JSON.writer(printer).writeValueAsString(document) + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }
}
