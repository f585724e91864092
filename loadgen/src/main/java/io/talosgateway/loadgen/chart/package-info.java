/**
 * Pages with tables and plots, which load nothing from elsewhere: entry types {@link io.talosgateway.loadgen.chart.Page}, {@link
 * io.talosgateway.loadgen.chart.Chart}. The plots are drawn in the browser by uPlot, which is in the page. Everything but the page
 * is a value or has no state.
 */
@NullMarked
package io.talosgateway.loadgen.chart;

import org.jspecify.annotations.NullMarked;
