package io.talosgateway.loadgen.chart;

/**
 * Something that happened, drawn behind the lines.
 *
 * @param name for the legend, where it comes once
 * @param style a colour of the page's styles
 * @param shape how it is drawn
 * @param fromX when it began
 * @param untilX when it ended; it is drawn at least a little wide
 */
public record Mark(String name, String style, Shape shape, double fromX, double untilX) {

    public enum Shape {
        /** Over the whole height. */
        BAND,
        /** A triangle on the axis. */
        FLAG
    }
}
