package io.talosgateway.loadgen.chart;

import java.util.ArrayList;
import java.util.List;

/** A table of a page, or of a text in Markdown. For one thread. */
public final class Table {

    /** A cell with a class of the page's styles; empty for none. */
    public record Cell(String text, String style) {}

    private final String title;
    private final String columns;
    private final List<String> head;
    private final List<List<Cell>> rows = new ArrayList<>();

    /**
     * @param title above it; empty for none
     * @param columns a letter for each: {@code l} for texts, at the left, {@code r} for numbers, at the right; the last letter is
     *     also that of all further columns
     * @param head what the columns are; empty for a table without a head
     */
    public Table(String title, String columns, List<String> head) {
        this.title = title;
        this.columns = columns;
        this.head = List.copyOf(head);
    }

    public void add(String... row) {
        add(List.of(row));
    }

    public void add(List<String> row) {
        rows.add(cells(row));
    }

    public void addCells(List<Cell> row) {
        rows.add(row);
    }

    public String title() {
        return title;
    }

    public List<String> head() {
        return head;
    }

    public List<List<String>> rows() {
        return rows.stream().map(row -> row.stream().map(Cell::text).toList()).toList();
    }

    private boolean isText(int column) {
        return columns.charAt(Math.min(column, columns.length() - 1)) == 'l';
    }

    private List<Cell> cells(List<String> texts) {
        List<Cell> cells = new ArrayList<>();
        for (String text : texts) {
            cells.add(new Cell(text, isText(cells.size()) ? "text" : ""));
        }
        return cells;
    }

    /** Without the title. */
    public String toMarkdown() {
        StringBuilder text = new StringBuilder();
        line(text, head);
        for (int column = 0; column < head.size(); column++) {
            text.append(isText(column) ? "|---" : "|---:");
        }
        text.append("|\n");
        rows().forEach(row -> line(text, row));
        return text.toString();
    }

    /** For a terminal, without the title. */
    public String toText() {
        List<List<String>> lines = new ArrayList<>(rows());
        if (!head.isEmpty()) {
            lines.add(0, head);
        }
        int[] widths = new int[lines.isEmpty() ? 0 : lines.get(0).size()];
        for (List<String> line : lines) {
            for (int column = 0; column < widths.length; column++) {
                widths[column] = Math.max(widths[column], line.get(column).length());
            }
        }
        StringBuilder text = new StringBuilder();
        for (List<String> line : lines) {
            StringBuilder cells = new StringBuilder();
            for (int column = 0; column < widths.length; column++) {
                String cell = line.get(column);
                String padding = " ".repeat(widths[column] - cell.length());
                cells.append(isText(column) ? cell + padding : padding + cell).append("  ");
            }
            text.append(cells.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }

    private static void line(StringBuilder text, List<String> cells) {
        for (String cell : cells) {
            text.append("| ").append(cell.replace("|", "\\|")).append(' ');
        }
        text.append("|\n");
    }

    /** The element for a page, without the title. */
    String toHtml() {
        StringBuilder html = new StringBuilder("<div class=\"wide\"><table>\n");
        if (!head.isEmpty()) {
            row(html, "th", cells(head));
        }
        rows.forEach(row -> row(html, "td", row));
        return html.append("</table></div>\n").toString();
    }

    private static void row(StringBuilder html, String element, List<Cell> cells) {
        html.append("<tr>");
        for (Cell cell : cells) {
            String style = cell.style().isEmpty() ? "" : " class=\"" + Page.escape(cell.style()) + '"';
            html.append("<%s%s>%s</%1$s>".formatted(element, style, Page.escape(cell.text())));
        }
        html.append("</tr>\n");
    }
}
