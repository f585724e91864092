package io.talosgateway.rest.peer;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;

import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;

import io.prometheus.client.CollectorRegistry;
import io.talosgateway.rest.tls.CertificateMetrics;
import io.talosgateway.rest.tls.HostTls;
import io.talosgateway.rest.tls.PemFiles;
import io.talosgateway.rest.tls.TestCertificates;
import io.talosgateway.rest.tls.TlsProvider;
import io.talosgateway.rest.tls.TrustedCertificates;

/** An authority for the hosts of a cluster, and the TLS of hosts that have its certificates and trust it. */
final class HostCertificates {

    private final Path directory;
    private final TestCertificates authority;
    private final Path trusted;

    HostCertificates(Path directory, String name) throws Exception {
        this.directory = directory;
        this.authority = new TestCertificates(directory, name);
        this.trusted = directory.resolve(name + ".pem");
        Files.writeString(trusted, authority.certificatePem());
    }

    HostTls issue(String host) throws Exception {
        return issue(host, this);
    }

    /** A host that trusts another authority than the one that has signed its certificate. */
    HostTls issue(String host, HostCertificates trustedByHost) throws Exception {
        HostTls.Config config = new HostTls.Config(
                authority
                        .issue(host, "EC")
                        .write(directory.resolve(host + "-certificate.pem"), directory.resolve(host + "-key.pem")),
                new TrustedCertificates(trustedByHost.trusted),
                Duration.ofHours(1));
        return new HostTls(
                config, InstantSource.system(), new CertificateMetrics(new CollectorRegistry(), "talos_peer_tls"));
    }

    /** What somebody with a certificate of this authority makes connections with. */
    SSLContext context(String name) throws Exception {
        PemFiles files = authority
                .issue(name, "EC")
                .write(directory.resolve(name + "-certificate.pem"), directory.resolve(name + "-key.pem"));
        TrustManager[] trust = new TrustedCertificates(trusted).parse(Files.readAllBytes(trusted));
        return files.parse(files.load()).context(TlsProvider.JDK, trust);
    }

    TestCertificates authority() {
        return authority;
    }
}
