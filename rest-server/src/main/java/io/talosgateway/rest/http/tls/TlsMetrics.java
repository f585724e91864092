package io.talosgateway.rest.http.tls;

import java.util.List;
import java.util.function.IntSupplier;

import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.Counter;
import io.talosgateway.rest.metrics.Gauges;
import io.talosgateway.rest.tls.CertificateMetrics;

/** What is counted of TLS. Safe for use by any thread. */
public final class TlsMetrics {

    private final CertificateMetrics certificate;
    private final Counter handshakes;
    private final CollectorRegistry registry;

    public TlsMetrics(CollectorRegistry registry) {
        this.registry = registry;
        certificate = new CertificateMetrics(registry, "talos_tls");
        handshakes = Counter.build(
                        "talos_tls_handshakes_total",
                        "Handshakes, by outcome: done, failed, timeout, or refused because too many were under way.")
                .labelNames("outcome")
                .register(registry);
        List.of("done", "failed", "timeout", "refused").forEach(handshakes::labels);
    }

    CertificateMetrics certificate() {
        return certificate;
    }

    void handshake(String outcome) {
        handshakes.labels(outcome).inc();
    }

    void watchHandshakes(IntSupplier underWay) {
        Gauges.gauge(
                registry,
                "talos_tls_handshakes_under_way",
                "Connections whose handshake is not done.",
                underWay::getAsInt);
    }
}
