package io.talosgateway.loadgen.chart;

import java.util.List;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;

/**
 * A line of a chart.
 *
 * @param style a colour of the page's styles, such as {@code put}
 * @param points in the order of their x; where a y is not a number, the line has a gap
 */
public record Series(String name, String style, List<Point> points) {

    private static final int STYLES = 6;

    /** The style of one of several alike. */
    public static String style(int number) {
        return "r" + (1 + number % STYLES);
    }

    /** In the units of the axes; in JSON, an array of both, where null is no number. */
    @JsonFormat(shape = JsonFormat.Shape.ARRAY)
    @JsonPropertyOrder({"x", "y"})
    public record Point(double x, double y) {}
}
