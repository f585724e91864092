package io.talosgateway.loadgen.measure;

/**
 * What came of idle connections, from the beginning of the warm-up on. Their puts are not among those of the load.
 *
 * @param answered puts
 * @param failed puts, and attempts to connect
 */
public record IdleCount(int connections, long answered, long failed) {}
