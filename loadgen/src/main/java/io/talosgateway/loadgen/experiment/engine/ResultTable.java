package io.talosgateway.loadgen.experiment.engine;

import java.util.ArrayList;
import java.util.List;

import io.talosgateway.loadgen.chart.Table;
import io.talosgateway.loadgen.chart.Table.Cell;

/**
 * A table of text.
 *
 * @param title above it; empty for none
 * @param texts how many of the first columns are words, not numbers
 */
record ResultTable(String title, int texts, List<String> head, List<List<String>> rows) {

    String toMarkdown() {
        StringBuilder text = new StringBuilder();
        line(text, head);
        List<String> rule = new ArrayList<>();
        for (int column = 0; column < head.size(); column++) {
            rule.add(column < texts ? "---" : "---:");
        }
        text.append('|').append(String.join("|", rule)).append("|\n");
        rows.forEach(row -> line(text, row));
        return text.toString();
    }

    private static void line(StringBuilder text, List<String> cells) {
        text.append("| ")
                .append(String.join(
                        " | ",
                        cells.stream().map(cell -> cell.replace("|", "\\|")).toList()))
                .append(" |\n");
    }

    Table toHtml() {
        Table table = new Table(cells(head));
        rows.forEach(row -> table.add(cells(row)));
        return table;
    }

    private List<Cell> cells(List<String> row) {
        List<Cell> cells = new ArrayList<>();
        for (int column = 0; column < row.size(); column++) {
            cells.add(column < texts ? Cell.text(row.get(column)) : Cell.of(row.get(column)));
        }
        return cells;
    }
}
