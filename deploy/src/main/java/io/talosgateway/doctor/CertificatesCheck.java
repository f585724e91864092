package io.talosgateway.doctor;

import java.io.IOException;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

import com.google.common.net.HostAndPort;
import io.talosgateway.rest.bootstrap.GatewayConfig;
import io.talosgateway.rest.coordination.zookeeper.ZooKeeperTls;
import io.talosgateway.rest.http.tls.ClientCertificates;
import io.talosgateway.rest.http.tls.TlsConfig;
import io.talosgateway.rest.tls.CertificateFiles;
import io.talosgateway.rest.tls.HostTls;
import io.talosgateway.rest.tls.PemFiles;
import io.talosgateway.rest.tls.ServerCertificate;
import io.talosgateway.rest.tls.TrustedCertificates;
import org.jspecify.annotations.Nullable;

/** The certificates for clients, for other hosts, and for ZooKeeper, with their keys and authorities. */
final class CertificatesCheck implements DoctorCheck {

    private static final Duration SOON = Duration.ofDays(30);
    private static final String RENEW =
            "Renew it, and replace the files: the gateway reads them while it runs (tls.reload-interval).";

    private final GatewayConfig config;
    private final InstantSource clock;

    CertificatesCheck(GatewayConfig config, InstantSource clock) {
        this.config = config;
        this.clock = clock;
    }

    @Override
    public String name() {
        return "certificates";
    }

    @Override
    public void run(Findings findings) {
        TlsConfig tls = config.tls();
        HostTls.Config peer = config.cluster().tls();
        ZooKeeperTls zookeeper = config.zookeeper().tls();
        if (tls != null) {
            lookAtClients(tls, findings);
        }
        if (peer != null) {
            lookAtHosts(peer, findings);
        }
        if (zookeeper != null) {
            authorities("zookeeper.tls.trusted-certificates", zookeeper.trusted(), findings);
            Path own = zookeeper.own();
            if (own != null) {
                certificate("zookeeper.tls.certificate-and-key", new PemFiles(own, own), findings);
            }
        }
        if (tls == null && peer == null && zookeeper == null) {
            findings.ok("TLS is not configured.");
        }
    }

    private void lookAtClients(TlsConfig tls, Findings findings) {
        ServerCertificate certificate = certificate("tls", tls.files(), findings);
        if (certificate != null) {
            names(certificate, tls.advertise(), config.http().host(), findings);
        }
        ClientCertificates clients = tls.clients();
        if (clients != null) {
            authorities("tls.client-ca", clients.authorities(), findings);
        }
    }

    /** Hosts do not compare names: the handshake binds the certificate to the secret of the cluster. */
    private void lookAtHosts(HostTls.Config peer, Findings findings) {
        ServerCertificate certificate = certificate("peer.tls", peer.own(), findings);
        TrustManager[] trusted = authorities("peer.tls.trusted-certificates", peer.trusted(), findings);
        if (certificate == null || trusted == null || !certificate.isValidAt(clock.instant())) {
            return;
        }
        String refused = certificate.whyRefusedBy(trusted);
        if (refused != null) {
            findings.warn(
                    "The certificate of this host, %s, is refused by peer.tls.trusted-certificates of this host (%s)."
                            .formatted(certificate.subject(), refused),
                    "Other hosts refuse it as well if they trust the same authorities: have one of these sign it, for server and "
                            + "client authentication.");
        }
    }

    private @Nullable ServerCertificate certificate(String what, CertificateFiles files, Findings findings) {
        try {
            ServerCertificate certificate = files.parse(files.load());
            validity(
                    "The certificate of %s for %s".formatted(what, certificate.subject()),
                    certificate.beginsAt(),
                    certificate.expiresAt(),
                    clock.instant(),
                    findings);
            return certificate;
        } catch (IOException e) {
            findings.fail(e);
            return null;
        }
    }

    private TrustManager @Nullable [] authorities(String what, TrustedCertificates trusted, Findings findings) {
        try {
            TrustManager[] managers =
                    trusted.parse(CertificateFiles.load(List.of(trusted.file())).get(0));
            for (TrustManager each : managers) {
                if (each instanceof X509TrustManager manager) {
                    for (X509Certificate authority : manager.getAcceptedIssuers()) {
                        validity(
                                "The authority '%s' of %s"
                                        .formatted(
                                                authority
                                                        .getSubjectX500Principal()
                                                        .getName(),
                                                what),
                                authority.getNotBefore().toInstant(),
                                authority.getNotAfter().toInstant(),
                                clock.instant(),
                                findings);
                    }
                }
            }
            return managers;
        } catch (IOException e) {
            findings.fail(e);
            return null;
        }
    }

    static void validity(String what, Instant begin, Instant end, Instant now, Findings findings) {
        if (now.isBefore(begin)) {
            findings.fail(
                    "%s is valid from %s only; it is %s.".formatted(what, begin, now),
                    "Compare the clock of this host, or wait.");
        } else if (now.isAfter(end)) {
            findings.fail("%s expired at %s.".formatted(what, end), RENEW);
        } else if (end.minus(SOON).isBefore(now)) {
            findings.warn(
                    "%s expires in %d days, at %s."
                            .formatted(what, Duration.between(now, end).toDays(), end),
                    RENEW);
        } else {
            findings.ok("%s is valid until %s.".formatted(what, end));
        }
    }

    private static void names(
            ServerCertificate certificate, @Nullable String advertised, String listening, Findings findings) {
        String host = advertised == null
                ? listening
                : HostAndPort.fromString(advertised).getHost();
        if (Addresses.isAny(host)) {
            findings.ok("The certificate of tls is for %s; clients must use one of these names."
                    .formatted(String.join(", ", certificate.hosts())));
        } else if (!certificate.isFor(host)) {
            findings.warn(
                    "The certificate of tls is for %s, but clients are told to connect to %s."
                            .formatted(certificate.hosts(), host),
                    "Set tls.advertise to a name of the certificate and its port, or have a certificate signed for this name.");
        }
    }
}
