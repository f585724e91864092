package io.talosgateway.loadgen.measure;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * What there is to say of a run besides what came of its requests.
 *
 * @param startedAt when the warm-up began, by the wall clock
 * @param seconds how long requests counted
 * @param interrupted whether it ended before its time
 * @param failure why it could not go on; null if it could
 * @param cpuNanos CPU time of the load generator while requests counted
 * @param contextSwitches of the load generator's threads while requests counted; null if the system does not say
 * @param gcPauses of the load generator while requests counted
 * @param idle what came of idle connections; null without any
 */
public record RunFacts(
        String startedAt,
        double warmupSeconds,
        double seconds,
        boolean interrupted,
        @Nullable String failure,
        long cpuNanos,
        @Nullable Long contextSwitches,
        List<GcPause> gcPauses,
        @Nullable IdleCount idle) {}
