package io.talosgateway.loadgen.plan;

import java.util.function.IntFunction;

import org.jspecify.annotations.Nullable;

/**
 * How many clients send requests of a kind, and when. Without a rate it is a closed loop.
 *
 * @param clients each with a connection of its own
 * @param rate requests a second of all clients together, each at its time; null for none
 * @param ratePerClient requests a second of each client, each at its time; null for none
 */
public record Traffic(
        int clients, @Nullable Double rate, @Nullable Double ratePerClient) {

    /** Of nobody. */
    public static final Traffic NONE = new Traffic(0, null, null);

    /**
     * When the clients send; their starts are spread evenly.
     *
     * @param startNanos when the first of all is due
     * @return by the client's number; null in a closed loop
     */
    public IntFunction<@Nullable Pacing> pacing(long startNanos) {
        if (rate != null) {
            Pacing shared = Pacing.at(rate, startNanos);
            return client -> shared;
        }
        if (ratePerClient != null) {
            double together = ratePerClient * clients;
            return client -> Pacing.share(together, client, clients, startNanos);
        }
        return client -> null;
    }
}
