package io.talosgateway.loadgen.plan;

import java.util.function.IntFunction;

import org.jspecify.annotations.Nullable;

/**
 * How many clients send requests of a kind in each process, and when. Without a rate it is a closed loop.
 *
 * @param clients of each process, each with a connection of its own
 * @param rate requests a second of all clients of all processes together, each at its time; null for none
 * @param ratePerClient requests a second of each client, each at its time; null for none
 */
public record Traffic(
        int clients, @Nullable Double rate, @Nullable Double ratePerClient) {

    /** Of nobody. */
    public static final Traffic NONE = new Traffic(0, null, null);

    /**
     * When the clients of a process send; all processes together have their starts spread evenly.
     *
     * @param startNanos when the first of all is due
     * @return by the client's number in its process; null in a closed loop
     */
    public IntFunction<@Nullable Pacing> pacing(ProcessShare process, long startNanos) {
        if (rate != null) {
            Pacing shared = Pacing.share(rate, process.number(), process.of(), startNanos);
            return client -> shared;
        }
        if (ratePerClient != null) {
            int all = clients * process.of();
            double together = ratePerClient * all;
            return client -> Pacing.share(together, client * process.of() + process.number(), all, startNanos);
        }
        return client -> null;
    }
}
