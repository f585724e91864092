package io.talosgateway.loadgen.chart;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Lines over a common axis, with a title and a legend.
 *
 * @param title what is shown, and in which unit
 * @param xLabel what the x axis is
 * @param notes what is said when one points at a part of it
 */
public record LineChart(
        String title,
        String xLabel,
        AxisScale x,
        AxisScale y,
        List<Series> series,
        List<Mark> marks,
        List<Note> notes) {

    private static final int WIDTH = 720;
    private static final int HEIGHT = 250;
    private static final int LEFT = 56;
    private static final int RIGHT = 12;
    private static final int TOP = 10;
    private static final int BOTTOM = 36;
    private static final int LEAST_BAND = 2;
    private static final int FLAG = 5;
    /** Of a file: room for title and legend above the chart. */
    private static final int HEADING = 52;

    private static final int EDGE = 16;
    private static final int KEY_WIDTH = 44;
    private static final int LETTER_WIDTH = 7;

    /** The element for a page with the styles of {@link Page}. */
    public String toHtml() {
        StringBuilder html = new StringBuilder();
        html.append("<figure>\n<figcaption>").append(Html.escape(title)).append("</figcaption>\n");
        legend(html);
        add(html, "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">\n", WIDTH, HEIGHT, Html.escape(title));
        drawing(html);
        html.append("</svg>\n</figure>\n");
        return html.toString();
    }

    /** A file of its own, with title, legend and styles in it. */
    public String toSvg() {
        StringBuilder svg = new StringBuilder();
        int height = HEIGHT + HEADING;
        add(
                svg,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" role=\"img\">\n",
                WIDTH,
                height,
                WIDTH,
                height);
        svg.append("<style>\n").append(Page.resource("file.css")).append("</style>\n");
        add(svg, "<rect class=\"paper\" width=\"%d\" height=\"%d\"/>\n", WIDTH, height);
        add(svg, "<text class=\"title\" x=\"%d\" y=\"20\">%s</text>\n", EDGE, Html.escape(title));
        int x = EDGE;
        for (Map.Entry<String, String> key : keys().entrySet()) {
            String name = key.getKey();
            add(svg, "<rect class=\"key %s\" x=\"%d\" y=\"35\" width=\"16\" height=\"3\"/>", key.getValue(), x);
            add(svg, "<text x=\"%d\" y=\"41\">%s</text>\n", x + 22, Html.escape(name));
            x += KEY_WIDTH + name.length() * LETTER_WIDTH;
        }
        add(svg, "<g transform=\"translate(0 %d)\">\n", HEADING);
        drawing(svg);
        svg.append("</g>\n</svg>\n");
        return svg.toString();
    }

    private void drawing(StringBuilder svg) {
        axes(svg);
        marks.forEach(mark -> mark(svg, mark));
        series.forEach(line -> line(svg, line));
        notes.forEach(note -> note(svg, note));
    }

    private void legend(StringBuilder html) {
        html.append("<ul class=\"legend\">");
        keys().forEach((name, style) -> add(html, "<li><i class=\"%s\"></i>%s</li>", style, Html.escape(name)));
        html.append("</ul>\n");
    }

    /** The legend: names and styles. */
    private Map<String, String> keys() {
        Map<String, String> keys = new LinkedHashMap<>();
        series.forEach(line -> keys.putIfAbsent(line.name(), "line " + line.style()));
        marks.forEach(mark ->
                keys.putIfAbsent(mark.name(), mark.shape().name().toLowerCase(Locale.ROOT) + " " + mark.style()));
        return keys;
    }

    private void axes(StringBuilder html) {
        for (AxisScale.Tick tick : y.ticks()) {
            double at = y(tick.value());
            add(
                    html,
                    "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>",
                    LEFT,
                    WIDTH - RIGHT,
                    at,
                    at);
            add(html, "<text class=\"y\" x=\"%d\" y=\"%.1f\">%s</text>\n", LEFT - 8, at + 4, tick.label());
        }
        for (AxisScale.Tick tick : x.ticks()) {
            double at = x(tick.value());
            int floor = HEIGHT - BOTTOM;
            add(html, "<line class=\"axis\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\"/>", at, at, floor, floor + 4);
            add(html, "<text class=\"x\" x=\"%.1f\" y=\"%d\">%s</text>\n", labelX(at, tick), floor + 17, tick.label());
        }
        int floor = HEIGHT - BOTTOM;
        add(html, "<line class=\"axis\" x1=\"%d\" x2=\"%d\" y1=\"%d\" y2=\"%d\"/>", LEFT, WIDTH - RIGHT, floor, floor);
        add(html, "<text class=\"name\" x=\"%d\" y=\"%d\">%s</text>\n", WIDTH - RIGHT, HEIGHT - 3, Html.escape(xLabel));
    }

    /** In the middle below its tick, but not beyond the edge. */
    private static double labelX(double at, AxisScale.Tick tick) {
        return Math.min(at, WIDTH - tick.label().length() * LETTER_WIDTH / 2.0);
    }

    private void mark(StringBuilder html, Mark mark) {
        double from = x(mark.fromX());
        double width = Math.max(LEAST_BAND, x(mark.untilX()) - from);
        int floor = HEIGHT - BOTTOM;
        switch (mark.shape()) {
            case BAND ->
                add(
                        html,
                        "<rect class=\"band %s\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\"/>\n",
                        mark.style(),
                        from,
                        TOP,
                        width,
                        floor - TOP);
            case FLAG -> {
                double middle = from + (x(mark.untilX()) - from) / 2;
                add(
                        html,
                        "<path class=\"flag %s\" d=\"M%.1f %d l%d %d h%d z\"/>\n",
                        mark.style(),
                        middle,
                        floor - 2 * FLAG,
                        FLAG,
                        2 * FLAG,
                        -2 * FLAG);
            }
        }
    }

    private void line(StringBuilder html, Series line) {
        StringBuilder path = new StringBuilder();
        boolean drawing = false;
        int drawn = 0;
        for (Series.Point point : line.points()) {
            boolean there = Double.isFinite(point.y());
            if (there) {
                add(path, "%s%.1f %.1f", drawing ? "L" : "M", x(point.x()), y(point.y()));
                drawn++;
            }
            drawing = there;
        }
        add(html, "<path class=\"line %s\" d=\"%s\"/>\n", line.style(), path);
        if (drawn == 1) {
            line.points().stream()
                    .filter(point -> Double.isFinite(point.y()))
                    .forEach(point -> add(
                            html,
                            "<circle class=\"dot %s\" cx=\"%.1f\" cy=\"%.1f\" r=\"3\"/>\n",
                            line.style(),
                            x(point.x()),
                            y(point.y())));
        }
    }

    private void note(StringBuilder html, Note note) {
        double from = x(note.fromX());
        add(
                html,
                "<rect class=\"note\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\"><title>%s</title></rect>\n",
                from,
                TOP,
                Math.max(1, x(note.untilX()) - from),
                HEIGHT - BOTTOM - TOP,
                Html.escape(note.text()));
    }

    private double x(double value) {
        return LEFT + x.position(value) * (WIDTH - LEFT - RIGHT);
    }

    private double y(double value) {
        return HEIGHT - BOTTOM - y.position(value) * (HEIGHT - BOTTOM - TOP);
    }

    private static void add(StringBuilder html, String format, Object... values) {
        html.append(String.format(Locale.ROOT, format, values));
    }
}
