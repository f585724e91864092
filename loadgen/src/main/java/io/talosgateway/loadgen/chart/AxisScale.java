package io.talosgateway.loadgen.chart;

import java.util.List;

/** Where values are on an axis. */
public interface AxisScale {

    /**
     * A value that is written at the axis.
     *
     * @param label without its unit
     */
    record Tick(double value, String label) {}

    /** From 0, where the axis begins, to 1; values beyond its ends are at its ends. */
    double position(double value);

    /** From the lowest to the highest. */
    List<Tick> ticks();
}
