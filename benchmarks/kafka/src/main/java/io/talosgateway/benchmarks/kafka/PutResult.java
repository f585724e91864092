package io.talosgateway.benchmarks.kafka;

import org.HdrHistogram.Histogram;

/**
 * What came of the puts, in the fields and units that {@code talos-loadgen run} uses.
 *
 * @param cpuMicrosPerRequest CPU time of this process for each put that counts
 */
record PutResult(
        String producers,
        int putThreads,
        int partitions,
        int size,
        double seconds,
        double cpuMicrosPerRequest,
        Latencies put) {

    private static final double NANOS_PER_MS = 1e6;

    /**
     * Of the puts that were sent in the time that counts and answered.
     *
     * @param perSecond of them
     * @param errors puts that failed, those of the warm-up included
     */
    record Latencies(
            long count,
            double perSecond,
            double messagesPerSecond,
            double bytesPerSecond,
            double meanMs,
            double p50Ms,
            double p75Ms,
            double p90Ms,
            double p99Ms,
            double p999Ms,
            double maxMs,
            long errors) {

        /**
         * @param nanos latencies
         * @param size bytes of a message
         */
        static Latencies of(Histogram nanos, double seconds, int size, long errors) {
            double perSecond = nanos.getTotalCount() / seconds;
            return new Latencies(
                    nanos.getTotalCount(),
                    rounded(perSecond),
                    rounded(perSecond),
                    rounded(perSecond * size),
                    nanos.getTotalCount() == 0 ? 0 : rounded(nanos.getMean() / NANOS_PER_MS),
                    percentile(nanos, 50),
                    percentile(nanos, 75),
                    percentile(nanos, 90),
                    percentile(nanos, 99),
                    percentile(nanos, 99.9),
                    percentile(nanos, 100),
                    errors);
        }

        private static double percentile(Histogram nanos, double percentile) {
            return nanos.getTotalCount() == 0 ? 0 : rounded(nanos.getValueAtPercentile(percentile) / NANOS_PER_MS);
        }

        private static double rounded(double value) {
            return Math.round(value * 1000) / 1000.0;
        }
    }

    static PutResult of(PutPlan plan, Histogram nanos, long errors, long cpuNanos) {
        double seconds = plan.duration().toMillis() / 1000.0;
        long count = nanos.getTotalCount();
        return new PutResult(
                plan.producers().text(),
                plan.threads(),
                plan.partitions(),
                plan.size(),
                seconds,
                count == 0 ? 0 : Math.round(cpuNanos / 10.0 / count) / 100.0,
                Latencies.of(nanos, seconds, plan.size(), errors));
    }
}
