package io.talosgateway.rest.http.tls;

import java.util.function.IntSupplier;

import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.Counter;
import io.prometheus.client.Gauge;

/** What is counted of TLS. Safe for use by any thread. */
public final class TlsMetrics {

    private final Gauge expirySeconds;
    private final Counter reloads;
    private final Counter handshakes;
    private final CollectorRegistry registry;

    public TlsMetrics(CollectorRegistry registry) {
        this.registry = registry;
        expirySeconds = Gauge.build(
                        "talos_tls_certificate_expiry_seconds",
                        "When the certificate in use, or one of its chain, ends: seconds since 1970.")
                .register(registry);
        reloads = Counter.build("talos_tls_reloads_total", "New certificate files, by outcome: taken or refused.")
                .labelNames("outcome")
                .register(registry);
        handshakes = Counter.build(
                        "talos_tls_handshakes_total",
                        "Handshakes, by outcome: done, failed, timeout, or refused because too many were under way.")
                .labelNames("outcome")
                .register(registry);
    }

    void inUse(ServerCertificate certificate) {
        expirySeconds.set((double) certificate.expiresAt().getEpochSecond());
    }

    void reloaded(boolean taken) {
        reloads.labels(taken ? "taken" : "refused").inc();
    }

    void handshake(String outcome) {
        handshakes.labels(outcome).inc();
    }

    void watchHandshakes(IntSupplier underWay) {
        Gauge.build("talos_tls_handshakes_under_way", "Connections whose handshake is not done.")
                .create()
                .setChild(new Gauge.Child() {
                    @Override
                    public double get() {
                        return underWay.getAsInt();
                    }
                })
                .register(registry);
    }
}
