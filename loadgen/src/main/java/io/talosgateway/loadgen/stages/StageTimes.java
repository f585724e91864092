package io.talosgateway.loadgen.stages;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Where the time of one kind of request went.
 *
 * @param request what was sent
 * @param samples requests that were timed
 * @param oneClock whether gateway and load generator had the same clock; if not, the ways between them are not known, and this
 *     is the time within the gateway
 * @param meanMs of the whole
 * @param steps on the way, in their order
 * @param problem why requests could not be timed, as was found last; null if all could
 */
public record StageTimes(
        String request,
        long samples,
        boolean oneClock,
        double meanMs,
        List<Step> steps,
        @Nullable String problem) {

    /**
     * From one stage to the next.
     *
     * @param count requests that went this way
     * @param meanMs of these
     * @param share of the time of all requests, 0 to 1
     */
    public record Step(String from, String to, long count, double meanMs, double p50Ms, double p99Ms, double share) {}

    public StageTimes {
        steps = List.copyOf(steps);
    }
}
