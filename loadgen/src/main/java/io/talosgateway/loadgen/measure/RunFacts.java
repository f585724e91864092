package io.talosgateway.loadgen.measure;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

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
        @Nullable IdleCount idle) {

    /** Those of a run in several processes. */
    public static RunFacts merged(List<RunFacts> parts) {
        RunFacts first = parts.get(0);
        boolean allCounted = parts.stream().allMatch(part -> part.contextSwitches != null);
        List<GcPause> pauses = new ArrayList<>();
        parts.forEach(part -> pauses.addAll(part.gcPauses));
        pauses.sort(Comparator.comparingDouble(GcPause::atSeconds));
        return new RunFacts(
                first.startedAt,
                first.warmupSeconds,
                parts.stream().mapToDouble(RunFacts::seconds).max().orElse(0),
                parts.stream().anyMatch(RunFacts::interrupted),
                parts.stream()
                        .map(RunFacts::failure)
                        .filter(Objects::nonNull)
                        .findFirst()
                        .orElse(null),
                parts.stream().mapToLong(RunFacts::cpuNanos).sum(),
                allCounted
                        ? parts.stream()
                                .map(RunFacts::contextSwitches)
                                .filter(Objects::nonNull)
                                .mapToLong(Long::longValue)
                                .sum()
                        : null,
                List.copyOf(pauses),
                parts.stream()
                        .map(RunFacts::idle)
                        .filter(Objects::nonNull)
                        .reduce(IdleCount::plus)
                        .orElse(null));
    }

    public RunFacts failedWith(String reason) {
        return new RunFacts(
                startedAt, warmupSeconds, seconds, interrupted, reason, cpuNanos, contextSwitches, gcPauses, idle);
    }
}
