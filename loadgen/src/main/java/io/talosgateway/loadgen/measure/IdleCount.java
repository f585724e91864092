package io.talosgateway.loadgen.measure;

/**
 * What came of idle connections, from the beginning of the warm-up on. Their puts are not among those of the load.
 *
 * @param connections of all processes
 * @param answered puts
 * @param failed puts, and attempts to connect
 */
public record IdleCount(int connections, long answered, long failed) {

    IdleCount plus(IdleCount other) {
        return new IdleCount(connections + other.connections, answered + other.answered, failed + other.failed);
    }
}
