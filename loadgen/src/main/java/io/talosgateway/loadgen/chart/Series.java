package io.talosgateway.loadgen.chart;

import java.util.List;

/**
 * A line of a chart.
 *
 * @param style a class of the page's styles that names its colour, such as {@code put}
 * @param points in the order of their x; where a y is not a number, the line has a gap
 */
public record Series(String name, String style, List<Point> points) {

    /** In the units of the axes. */
    public record Point(double x, double y) {}
}
