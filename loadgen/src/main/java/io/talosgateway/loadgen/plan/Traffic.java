package io.talosgateway.loadgen.plan;

import org.jspecify.annotations.Nullable;

/**
 * How many clients send requests of a kind, and when. Without a rate it is a closed loop.
 *
 * @param clients each with a connection of its own
 * @param rate requests a second of all clients together, each at its time; null for none
 */
public record Traffic(int clients, @Nullable Double rate) {

    public static final Traffic NONE = new Traffic(0, null);
}
