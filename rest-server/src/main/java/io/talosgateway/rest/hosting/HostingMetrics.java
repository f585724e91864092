package io.talosgateway.rest.hosting;

import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.Counter;
import io.talosgateway.rest.metrics.LatencyHistogram;

/** What is counted of partitions that come and go. Safe for use by any thread. */
public final class HostingMetrics {

    private final Counter taken;
    private final Counter released;
    private final Counter incarnations;
    private final LatencyHistogram.Child takeOver;

    public HostingMetrics(CollectorRegistry registry) {
        taken = Counter.build("talos_partitions_taken_total", "Partitions that this host has taken over.")
                .register(registry);
        released = Counter.build("talos_partitions_released_total", "Partitions that this host has released to others.")
                .register(registry);
        incarnations = Counter.build(
                        "talos_incarnations_total",
                        "Lives that this process has begun: the first, and one after each lost session or fenced journal.")
                .register(registry);
        takeOver = LatencyHistogram.coarse(
                registry,
                "talos_take_over_seconds",
                "Time from when this host was to serve a partition until it did, by partition.");
    }

    void taken(long waitedNanos) {
        taken.inc();
        takeOver.observe(waitedNanos);
    }

    void released(int partitions) {
        released.inc(partitions);
    }

    void incarnationBegun() {
        incarnations.inc();
    }
}
