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
 * @param gcPauses of the load generator while requests counted
 */
public record RunFacts(
        String startedAt,
        double warmupSeconds,
        double seconds,
        boolean interrupted,
        @Nullable String failure,
        long cpuNanos,
        List<GcPause> gcPauses) {}
