package io.talosgateway.rest.tls;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The TLS that hosts of a cluster speak to each other: TLS 1.3, and both ends show a certificate that a trusted authority has
 * signed. New files are taken for new connections; those that are open go on. Safe for use by any thread.
 */
public final class HostTls implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(HostTls.class);

    private final Config config;
    private final InstantSource wallClock;
    private final CertificateMetrics metrics;
    private final WatchedFiles files;
    private final ScheduledExecutorService watching;
    private volatile SSLContext context;

    /**
     * Where the certificates are.
     *
     * @param own of this host, with its key
     * @param trusted whose signature makes a host one of the cluster
     * @param reloadInterval how often the files are read
     */
    public record Config(PemFiles own, TrustedCertificates trusted, Duration reloadInterval) {

        private List<Path> paths() {
            return List.of(own.certificate(), own.key(), trusted.file());
        }
    }

    /**
     * Reads the files; starts no thread.
     *
     * @throws IOException with a sentence for the operator if they cannot be used
     */
    public HostTls(Config config, InstantSource wallClock, CertificateMetrics metrics) throws IOException {
        this.config = config;
        this.wallClock = wallClock;
        this.metrics = metrics;
        this.files = new WatchedFiles(config.paths(), this::take, metrics, log);
        this.context = read(files.open());
        this.watching = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "peer-certificates");
            thread.setDaemon(true);
            return thread;
        });
    }

    /** Reads the files again from time to time. */
    public HostTls start() {
        long intervalMs = config.reloadInterval().toMillis();
        watching.scheduleWithFixedDelay(this::look, intervalMs, intervalMs, TimeUnit.MILLISECONDS);
        return this;
    }

    /** Reads the files, and uses new ones for new connections. For one thread at a time. */
    void look() {
        files.look();
    }

    private void take(List<byte[]> contents) throws IOException {
        context = read(contents);
    }

    private SSLContext read(List<byte[]> contents) throws IOException {
        ServerCertificate certificate = config.own().parse(contents.subList(0, 2));
        if (!certificate.isValidAt(wallClock.instant())) {
            throw new IOException("Other hosts would refuse the certificate for %s, valid from %s to %s: it is %s."
                    .formatted(
                            certificate.subject(),
                            certificate.beginsAt(),
                            certificate.expiresAt(),
                            wallClock.instant()));
        }
        TrustManager[] trust = config.trusted().parse(contents.get(2));
        SSLContext read = certificate.context(TlsProvider.JDK, trust);
        metrics.inUse(certificate);
        log.info(
                "Hosts speak TLS; this one's certificate is for {} until {}",
                certificate.subject(),
                certificate.expiresAt());
        return read;
    }

    /** For a connection that another host has opened. */
    public SSLEngine accepting() {
        SSLEngine engine = engine();
        engine.setUseClientMode(false);
        engine.setNeedClientAuth(true);
        return engine;
    }

    /** For a connection to another host. Sessions are not resumed: each connection checks the certificates anew. */
    public SSLEngine connecting() {
        SSLEngine engine = engine();
        engine.setUseClientMode(true);
        return engine;
    }

    private SSLEngine engine() {
        SSLEngine engine = context.createSSLEngine();
        engine.setEnabledProtocols(new String[] {"TLSv1.3"});
        return engine;
    }

    @Override
    public void close() {
        watching.shutdownNow();
    }
}
