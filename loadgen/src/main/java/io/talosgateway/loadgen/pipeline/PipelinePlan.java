package io.talosgateway.loadgen.pipeline;

import io.talosgateway.loadgen.cli.LoadFailure;
import io.talosgateway.loadgen.plan.Warmup;

/**
 * What goes through the queue, and how.
 *
 * @param partitions of the topic; the producer goes round them, and consumer {@code i} has those that are {@code i} modulo the
 *     number of consumers
 * @param putsUnderWay how many puts the producer sends without waiting for the first one's answer
 * @param batch messages of a put
 * @param window how many messages may be put and not yet acknowledged by a consumer; 0 for as many as the producer can
 * @param costMs what a consumer takes for each message, one after another
 * @param consumersAfterMs when the consumers begin, from the producer's beginning on
 * @param size bytes of a message
 * @param warmup messages go through as fast as they can before anything counts; the queue is empty then
 * @param seed makes the same payload again
 */
public record PipelinePlan(
        String topic,
        int partitions,
        int putsUnderWay,
        int batch,
        int window,
        int consumers,
        long costMs,
        long consumersAfterMs,
        int size,
        Warmup warmup,
        long durationMs,
        long seed) {

    private static final int WARM_WINDOW = 64;

    /** @throws LoadFailure with a sentence for the user if it cannot be done */
    public PipelinePlan {
        LoadFailure.check(partitions >= 1, "--partitions must be at least 1");
        LoadFailure.check(putsUnderWay >= 1, "--pending must be at least 1");
        LoadFailure.check(batch >= 1, "--batch must be at least 1");
        LoadFailure.check(window >= 0, "--window must be at least 1, or 0 for none");
        LoadFailure.check(
                window == 0 || window >= batch, "--window must not be smaller than --batch: no put would fit");
        LoadFailure.check(
                consumers >= 1 && consumers <= partitions,
                "--consumers must be 1 to --partitions (%d): a partition has one consumer".formatted(partitions));
        LoadFailure.check(size >= PipelineStamp.BYTES, "--size must be at least %dB".formatted(PipelineStamp.BYTES));
        LoadFailure.check(durationMs >= 1, "--duration must be positive");
        LoadFailure.check(
                consumersAfterMs < durationMs,
                "--consumers-after must be less than --duration: nothing would be consumed");
    }

    /** The same for the warm-up: a short queue, and consumers that do nothing. */
    PipelinePlan warm() {
        return new PipelinePlan(
                topic,
                partitions,
                putsUnderWay,
                batch,
                Math.max(batch, WARM_WINDOW),
                consumers,
                0,
                0,
                size,
                warmup,
                warmup.most().toMillis(),
                seed);
    }
}
