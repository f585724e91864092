package io.talosgateway.loadgen.measure;

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
 * @param distribution the latency below which a share of the requests was, from the fastest to the slowest
 */
public record Summary(
        long count,
        double perSecond,
        long messages,
        double messagesPerSecond,
        double bytesPerSecond,
        long empty,
        double meanMs,
        double p50Ms,
        double p75Ms,
        double p90Ms,
        double p99Ms,
        double p999Ms,
        double maxMs,
        long errors,
        double refusedMeanMs,
        double refusedP999Ms,
        double refusedMaxMs,
        List<Tally.ErrorCount> errorsByKind,
        List<Quantile> distribution) {

    /** @param seconds how long the window was open */
    public static Summary of(Tally tally, double seconds) {
        Histogram latency = tally.latency();
        long count = latency.getTotalCount();
        return new Summary(
                count,
                perSecond(count, seconds),
                tally.messages(),
                perSecond(tally.messages(), seconds),
                perSecond(tally.bytes(), seconds),
                tally.empty(),
                Millis.mean(latency),
                Millis.percentile(latency, 50),
                Millis.percentile(latency, 75),
                Millis.percentile(latency, 90),
                Millis.percentile(latency, 99),
                Millis.percentile(latency, 99.9),
                Millis.percentile(latency, 100),
                tally.failed(),
                Millis.mean(tally.refusal()),
                Millis.percentile(tally.refusal(), 99.9),
                Millis.percentile(tally.refusal(), 100),
                tally.errors(),
                Quantile.of(latency));
    }

    private static double perSecond(long count, double seconds) {
        return seconds <= 0 ? 0 : Millis.rounded(count / seconds);
    }
}
