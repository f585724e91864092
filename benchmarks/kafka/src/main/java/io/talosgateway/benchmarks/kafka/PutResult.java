package io.talosgateway.benchmarks.kafka;

import io.talosgateway.loadgen.measure.Summary;
import io.talosgateway.loadgen.measure.Tally;
import org.HdrHistogram.Histogram;

/**
 * What came of the puts.
 *
 * @param json as {@code talos-loadgen run} writes it
 * @param latencies of those that were sent in the time that counts and answered, in nanoseconds
 */
record PutResult(Json json, Histogram latencies) {

    /**
     * With the fields and units of {@code talos-loadgen run}.
     *
     * @param cpuMicrosPerRequest CPU time of this process for each put that counts
     */
    record Json(
            String producers,
            int putThreads,
            int partitions,
            int size,
            double seconds,
            double cpuMicrosPerRequest,
            Summary put) {}

    static PutResult of(PutPlan plan, Tally tally, long cpuNanos) {
        double seconds = plan.duration().toMillis() / 1000.0;
        Summary put = Summary.of(tally, seconds);
        return new PutResult(
                new Json(
                        plan.producers().text(),
                        plan.threads(),
                        plan.partitions(),
                        plan.size(),
                        seconds,
                        put.count() == 0 ? 0 : Math.round(cpuNanos / 10.0 / put.count()) / 100.0,
                        put),
                tally.latency());
    }
}
