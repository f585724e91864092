package io.talosgateway.rest.peer;

import java.util.function.DoubleSupplier;

import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.Counter;
import io.talosgateway.rest.metrics.Gauges;
import io.talosgateway.rest.metrics.LatencyHistogram;

/** What is counted of the requests of other hosts. Safe for use by any thread. */
final class PeerMetrics {

    private final Counter calls;
    private final Counter closed;
    private final LatencyHistogram seconds;
    private final CollectorRegistry registry;

    PeerMetrics(CollectorRegistry registry) {
        this.registry = registry;
        calls = Counter.build("talos_peer_requests_total", "Requests of other hosts, by method and outcome.")
                .labelNames("method", "outcome")
                .register(registry);
        closed = Counter.build("talos_peer_closed_total", "Connections to the peer port that were closed by this host.")
                .labelNames("reason")
                .register(registry);
        for (CloseReason reason : CloseReason.values()) {
            closed.labels(reason.text());
        }
        seconds = LatencyHistogram.register(
                registry, "talos_peer_seconds", "Time from when a request was read until it was answered.", "method");
    }

    /** @param outcome {@code ok} or the code of an error */
    void answered(String method, String outcome, long nanos) {
        calls.labels(method, outcome).inc();
        seconds.labels(method).observe(nanos);
    }

    void closed(CloseReason reason) {
        closed.labels(reason.text()).inc();
    }

    void gauge(String name, String help, DoubleSupplier value) {
        Gauges.gauge(registry, name, help, value);
    }
}
