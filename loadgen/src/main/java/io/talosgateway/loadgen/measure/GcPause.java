package io.talosgateway.loadgen.measure;

/**
 * A garbage collection that stopped the load generator itself: what is slow then is not the gateway.
 *
 * @param atSeconds when it began, since the end of the warm-up
 */
public record GcPause(double atSeconds, double ms, String collector, String cause) {}
