package io.talosgateway.loadgen;

import java.util.List;

import org.HdrHistogram.Histogram;

/**
 * What came of one kind of request.
 *
 * @param count requests answered without an error, in the window
 * @param perSecond of them
 * @param messages put, or got
 * @param bytesPerSecond payload put; bodies got, which are JSON
 * @param empty gets that waited and were answered without a message
 * @param meanMs latency from sending the first byte until the last byte of the answer
 * @param errors requests that failed, those of the warm-up included
 * @param refusedMeanMs from sending a request until its answer, an error, in the window
 */
record Summary(
        long count,
        double perSecond,
        long messages,
        double messagesPerSecond,
        double bytesPerSecond,
        long empty,
        double meanMs,
        double p50Ms,
        double p75Ms,
        double p99Ms,
        double p999Ms,
        double maxMs,
        long errors,
        double refusedMeanMs,
        double refusedP999Ms,
        double refusedMaxMs,
        List<Tally.ErrorCount> errorsByKind) {

    private static final double NANOS_PER_MS = 1e6;

    /** @param seconds how long the window was open */
    static Summary of(Tally tally, double seconds) {
        Histogram latency = tally.latency();
        long count = latency.getTotalCount();
        return new Summary(
                count,
                perSecond(count, seconds),
                tally.messages(),
                perSecond(tally.messages(), seconds),
                perSecond(tally.bytes(), seconds),
                tally.empty(),
                mean(latency),
                percentile(latency, 50),
                percentile(latency, 75),
                percentile(latency, 99),
                percentile(latency, 99.9),
                percentile(latency, 100),
                tally.failed(),
                mean(tally.refusal()),
                percentile(tally.refusal(), 99.9),
                percentile(tally.refusal(), 100),
                tally.errors());
    }

    private static double perSecond(long count, double seconds) {
        return seconds <= 0 ? 0 : rounded(count / seconds);
    }

    private static double mean(Histogram latency) {
        return latency.getTotalCount() == 0 ? 0 : rounded(latency.getMean() / NANOS_PER_MS);
    }

    private static double percentile(Histogram latency, double percentile) {
        return latency.getTotalCount() == 0 ? 0 : rounded(latency.getValueAtPercentile(percentile) / NANOS_PER_MS);
    }

    /** To three decimals: more are noise. */
    private static double rounded(double value) {
        return Math.round(value * 1000) / 1000.0;
    }
}
