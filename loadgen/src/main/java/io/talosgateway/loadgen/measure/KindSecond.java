package io.talosgateway.loadgen.measure;

import java.util.Map;
import java.util.TreeMap;

import org.HdrHistogram.Histogram;

/**
 * What came of one kind of request in a second of the run.
 *
 * @param count requests that were answered in it without an error, and count
 * @param bytes payload put; bodies got
 * @param errors requests that failed in it, by status and code such as {@code 503 overloaded}
 */
public record KindSecond(
        long count,
        double perSecond,
        long messages,
        long bytes,
        double meanMs,
        double p50Ms,
        double p75Ms,
        double p90Ms,
        double p99Ms,
        double p999Ms,
        double maxMs,
        Map<String, Long> errors) {

    /** @param seconds how long it took, which is about one */
    static KindSecond of(Tally tally, double seconds) {
        Histogram latency = tally.latency();
        Map<String, Long> errors = new TreeMap<>();
        tally.errors().forEach(error -> errors.merge(error.name(), error.count(), Long::sum));
        return new KindSecond(
                latency.getTotalCount(),
                seconds <= 0 ? 0 : Millis.rounded(latency.getTotalCount() / seconds),
                tally.messages(),
                tally.bytes(),
                Millis.mean(latency),
                Millis.percentile(latency, 50),
                Millis.percentile(latency, 75),
                Millis.percentile(latency, 90),
                Millis.percentile(latency, 99),
                Millis.percentile(latency, 99.9),
                Millis.percentile(latency, 100),
                errors);
    }
}
