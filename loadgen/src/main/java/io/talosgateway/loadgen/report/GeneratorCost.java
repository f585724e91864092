package io.talosgateway.loadgen.report;

import io.talosgateway.loadgen.measure.Millis;
import io.talosgateway.loadgen.measure.RunFacts;
import org.jspecify.annotations.Nullable;

/**
 * What the load generator itself took while requests counted, all its processes together.
 *
 * @param cpuSeconds CPU time
 * @param cpuCores of it for each second
 * @param contextSwitchesPerSecond of its threads; null if the system does not say
 */
public record GeneratorCost(
        int processes,
        double cpuSeconds,
        double cpuCores,
        @Nullable Double contextSwitchesPerSecond) {

    private static final double NANOS = 1e9;

    static GeneratorCost of(int processes, RunFacts facts) {
        double seconds = facts.seconds();
        Long switches = facts.contextSwitches();
        return new GeneratorCost(
                processes,
                Millis.rounded(facts.cpuNanos() / NANOS),
                seconds <= 0 ? 0 : Millis.rounded(facts.cpuNanos() / NANOS / seconds),
                switches == null || seconds <= 0 ? null : Millis.rounded(switches / seconds));
    }
}
