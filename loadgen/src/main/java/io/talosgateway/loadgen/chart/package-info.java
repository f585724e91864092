/**
 * Plots as SVG inside an HTML page, without anything from elsewhere. Entry type {@link io.talosgateway.loadgen.chart.LineChart};
 * {@link io.talosgateway.loadgen.chart.Page} brings the styles. Everything here is a value or has no state.
 */
@NullMarked
package io.talosgateway.loadgen.chart;

import org.jspecify.annotations.NullMarked;
