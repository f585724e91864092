package io.talosgateway.rest.produce;

import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.Counter;

/** What puts count beyond what every request does. Safe for use by any thread. */
public final class ProduceMetrics {

    private final Counter repeats;
    private final Counter unknown;

    public ProduceMetrics(CollectorRegistry registry) {
        repeats = Counter.build(
                        "talos_put_repeats_total", "Puts that repeated an earlier one and were not stored again.")
                .register(registry);
        unknown = Counter.build("talos_put_unknown_total", "Puts that were answered before their outcome was certain.")
                .register(registry);
    }

    void repeat() {
        repeats.inc();
    }

    void unknown() {
        unknown.inc();
    }
}
