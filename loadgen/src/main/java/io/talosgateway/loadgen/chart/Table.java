package io.talosgateway.loadgen.chart;

import java.util.ArrayList;
import java.util.List;

/** A table of a page. For one thread. */
public final class Table {

    /** A cell with a class of the page's styles; empty for none. */
    public record Cell(String text, String style) {
        /** A number, at the right. */
        public static Cell of(String text) {
            return new Cell(text, "");
        }

        /** A text, at the left. */
        public static Cell text(String text) {
            return new Cell(text, "text");
        }
    }

    private final List<Cell> head;
    private final List<List<Cell>> rows = new ArrayList<>();

    /** @param head what the columns are; empty for a table without a head */
    public Table(List<Cell> head) {
        this.head = head;
    }

    public void add(List<Cell> row) {
        rows.add(row);
    }

    /** The element for a page. */
    public String toHtml() {
        StringBuilder html = new StringBuilder("<div class=\"wide\"><table>\n");
        if (!head.isEmpty()) {
            row(html, "th", head);
        }
        rows.forEach(row -> row(html, "td", row));
        return html.append("</table></div>\n").toString();
    }

    private static void row(StringBuilder html, String element, List<Cell> cells) {
        html.append("<tr>");
        for (Cell cell : cells) {
            html.append('<').append(element);
            if (!cell.style().isEmpty()) {
                html.append(" class=\"").append(Html.escape(cell.style())).append('"');
            }
            html.append('>')
                    .append(Html.escape(cell.text()))
                    .append("</")
                    .append(element)
                    .append('>');
        }
        html.append("</tr>\n");
    }
}
