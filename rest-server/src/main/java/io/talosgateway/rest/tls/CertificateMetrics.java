package io.talosgateway.rest.tls;

import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.Counter;
import io.prometheus.client.Gauge;

/** What is counted of a certificate and its renewal. Safe for use by any thread. */
public final class CertificateMetrics {

    private final Gauge expirySeconds;
    private final Counter reloads;

    /** @param prefix of the names, such as {@code talos_tls} */
    public CertificateMetrics(CollectorRegistry registry, String prefix) {
        expirySeconds = Gauge.build(
                        prefix + "_certificate_expiry_seconds",
                        "When the certificate in use, or one of its chain, ends: seconds since 1970.")
                .register(registry);
        reloads = Counter.build(prefix + "_reloads_total", "New certificate files, by outcome: taken or refused.")
                .labelNames("outcome")
                .register(registry);
        reloads.labels("taken");
        reloads.labels("refused");
    }

    public void inUse(ServerCertificate certificate) {
        expirySeconds.set((double) certificate.expiresAt().getEpochSecond());
    }

    void reloaded(boolean taken) {
        reloads.labels(taken ? "taken" : "refused").inc();
    }
}
