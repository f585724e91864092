package io.talosgateway.loadgen.chart;

/** What is said when one points at a part of a chart. */
public record Note(double fromX, double untilX, String text) {}
