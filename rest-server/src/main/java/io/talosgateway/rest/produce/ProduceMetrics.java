package io.talosgateway.rest.produce;

import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.Counter;
import io.prometheus.client.Histogram;

/** What puts count beyond what every request does. Safe for use by any thread. */
public final class ProduceMetrics {

    private static final double[] BUCKETS = {.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10};

    private final Counter repeats;
    private final Counter unknown;
    private final Histogram storage;
    private final Histogram answerWait;

    public ProduceMetrics(CollectorRegistry registry) {
        repeats = Counter.build(
                        "talos_put_repeats_total", "Puts that repeated an earlier one and were not stored again.")
                .register(registry);
        storage = Histogram.build(
                        "talos_put_storage_seconds", "Time from handing a put to its lane until it was durable.")
                .buckets(BUCKETS)
                .register(registry);
        answerWait = Histogram.build(
                        "talos_put_answer_wait_seconds",
                        "Time from when a put was durable until a thread came to answer it.")
                .buckets(BUCKETS)
                .register(registry);
        unknown = Counter.build("talos_put_unknown_total", "Puts that were answered before their outcome was certain.")
                .register(registry);
    }

    void repeat() {
        repeats.inc();
    }

    /**
     * @param storageNanos until the put was durable
     * @param answerNanos from then until a thread came to answer it
     */
    void stored(long storageNanos, long answerNanos) {
        storage.observe(storageNanos / 1e9);
        answerWait.observe(answerNanos / 1e9);
    }

    void unknown() {
        unknown.inc();
    }
}
