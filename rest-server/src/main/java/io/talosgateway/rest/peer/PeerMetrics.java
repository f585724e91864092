package io.talosgateway.rest.peer;

import java.util.function.DoubleSupplier;

import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.Counter;
import io.prometheus.client.Gauge;
import io.prometheus.client.Histogram;

/** What is counted of the requests of other hosts. Safe for use by any thread. */
final class PeerMetrics {

    private final Counter calls;
    private final Counter closed;
    private final Histogram seconds;
    private final CollectorRegistry registry;

    PeerMetrics(CollectorRegistry registry) {
        this.registry = registry;
        calls = Counter.build("talos_peer_requests_total", "Requests of other hosts, by method and outcome.")
                .labelNames("method", "outcome")
                .register(registry);
        closed = Counter.build("talos_peer_closed_total", "Connections to the peer port that were closed by this host.")
                .labelNames("reason")
                .register(registry);
        seconds = Histogram.build("talos_peer_seconds", "Time from when a request was read until it was answered.")
                .labelNames("method")
                .buckets(.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30)
                .register(registry);
    }

    /** @param outcome {@code ok} or the code of an error */
    void answered(String method, String outcome, long nanos) {
        calls.labels(method, outcome).inc();
        seconds.labels(method).observe(nanos / 1e9);
    }

    void closed(CloseReason reason) {
        closed.labels(reason.text()).inc();
    }

    void gauge(String name, String help, DoubleSupplier value) {
        Gauge.build(name, help)
                .create()
                .setChild(new Gauge.Child() {
                    @Override
                    public double get() {
                        return value.getAsDouble();
                    }
                })
                .register(registry);
    }
}
