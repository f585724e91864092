package io.talosgateway.loadgen.pipeline;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.talosgateway.loadgen.measure.Millis;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * What came of a pipeline.
 *
 * @param countsFromMs when the producer began, epoch milliseconds
 * @param values what experiments compare: rates per second, latencies in milliseconds, and the backlog in messages. The rate of
 *     consumption is from the beginning of the consumers on
 * @param firstError null if there was none
 */
record PipelineResult(
        PipelinePlan plan,
        long countsFromMs,
        boolean interrupted,
        Map<String, Double> values,
        @Nullable String firstError,
        List<PipelineSecond> seconds) {

    /**
     * Adds up what the seconds have.
     *
     * @param puts latencies of all of them, in nanoseconds
     * @param ages of all messages when they were consumed, in nanoseconds
     */
    static PipelineResult of(
            PipelinePlan plan,
            long countsFromMs,
            boolean interrupted,
            @Nullable String firstError,
            List<PipelineSecond> seconds,
            Histogram puts,
            Histogram ages) {
        double consumingFrom = plan.consumersAfterMs() / 1000.0;
        List<PipelineSecond> consuming = seconds.stream()
                .filter(second -> second.atSeconds() > consumingFrom)
                .toList();
        Map<String, Double> values = new TreeMap<>();
        values.put(
                "put.perSecond",
                mean(seconds.stream().map(PipelineSecond::putPerSecond).toList()));
        values.put(
                "consumed.perSecond",
                mean(consuming.stream().map(PipelineSecond::consumedPerSecond).toList()));
        values.put(
                "backlog.peak",
                seconds.stream()
                        .mapToDouble(second -> (double) second.backlog())
                        .max()
                        .orElse(0));
        values.put(
                "backlog.end",
                seconds.isEmpty() ? 0.0 : seconds.get(seconds.size() - 1).backlog());
        values.put(
                "errors",
                seconds.stream().mapToDouble(second -> (double) second.errors()).sum());
        latencies(values, "put", puts);
        latencies(values, "age", ages);
        return new PipelineResult(plan, countsFromMs, interrupted, values, firstError, seconds);
    }

    private static double mean(List<Double> values) {
        return Millis.rounded(
                values.stream().mapToDouble(Double::doubleValue).average().orElse(0));
    }

    private static void latencies(Map<String, Double> values, String of, Histogram nanos) {
        values.put(of + ".meanMs", Millis.mean(nanos));
        values.put(of + ".p50Ms", Millis.percentile(nanos, 50));
        values.put(of + ".p75Ms", Millis.percentile(nanos, 75));
        values.put(of + ".p99Ms", Millis.percentile(nanos, 99));
        values.put(of + ".p999Ms", Millis.percentile(nanos, 99.9));
        values.put(of + ".maxMs", Millis.percentile(nanos, 100));
    }
}
