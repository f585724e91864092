package io.talosgateway.loadgen.pipeline;

import io.talosgateway.loadgen.measure.Millis;

/**
 * A second of a pipeline.
 *
 * @param atSeconds when it ended, since the producer began
 * @param putPerSecond messages
 * @param consumedPerSecond messages that consumers have acknowledged
 * @param backlog messages that were put and not acknowledged at its end
 * @param putMeanMs latency of puts; 0 if there were none
 * @param ageMeanMs from the put of a message until its acknowledgement; 0 if there were none
 */
record PipelineSecond(
        double atSeconds,
        double putPerSecond,
        double consumedPerSecond,
        long backlog,
        double putMeanMs,
        double putP99Ms,
        double putMaxMs,
        double ageMeanMs,
        double ageP99Ms,
        double ageMaxMs,
        long errors) {

    /**
     * From one look at the flow to the next.
     *
     * @param seconds between them
     */
    static PipelineSecond between(Flow.Taken before, Flow.Taken now, double atSeconds, double seconds) {
        return new PipelineSecond(
                Millis.rounded(atSeconds),
                Millis.rounded((now.put() - before.put()) / seconds),
                Millis.rounded((now.consumed() - before.consumed()) / seconds),
                Math.max(0, now.put() - now.consumed()),
                Millis.mean(now.puts()),
                Millis.percentile(now.puts(), 99),
                Millis.percentile(now.puts(), 100),
                Millis.mean(now.ages()),
                Millis.percentile(now.ages(), 99),
                Millis.percentile(now.ages(), 100),
                now.errors() - before.errors());
    }
}
