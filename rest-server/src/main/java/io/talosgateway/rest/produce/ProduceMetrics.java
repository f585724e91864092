package io.talosgateway.rest.produce;

import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.Counter;
import io.talosgateway.rest.metrics.LatencyHistogram;

/** What puts count beyond what every request does. Safe for use by any thread. */
public final class ProduceMetrics {

    private final Counter repeats;
    private final Counter unknown;
    private final LatencyHistogram.Child storage;
    private final LatencyHistogram.Child answerWait;

    public ProduceMetrics(CollectorRegistry registry) {
        repeats = Counter.build(
                        "talos_put_repeats_total", "Puts that repeated an earlier one and were not stored again.")
                .register(registry);
        storage = LatencyHistogram.coarse(
                registry, "talos_put_storage_seconds", "Time from handing a put to its lane until it was durable.");
        answerWait = LatencyHistogram.coarse(
                registry,
                "talos_put_answer_wait_seconds",
                "Time from when a put was durable until a thread came to answer it.");
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
        storage.observe(storageNanos);
        answerWait.observe(answerNanos);
    }

    void unknown() {
        unknown.inc();
    }
}
