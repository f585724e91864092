package io.talosgateway.rest.http.tls;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;

import io.talosgateway.rest.auth.CertificateKeys;
import io.talosgateway.rest.tls.ServerCertificate;
import io.talosgateway.rest.tls.WatchedFiles;
import io.talosgateway.scheduler.NanoClock;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The certificate in use, and what Jetty makes TLS connections with. {@link #look} takes a new certificate for new
 * connections; those that are open go on. A new one that cannot be used is named in the log once, and the old one stays.
 *
 * <p>{@link #open} and {@link #look} for one thread at a time; they block on the files.
 */
public final class TlsListener {

    /**
     * How much of a decrypted request is read at once. More than a record has, so that it is decrypted straight into this buffer; and
     * of another class of sizes of Jetty's pool than the buffers for encrypted records: a request holds its buffer, and the pool looks
     * through all of a class for one that is free.
     */
    public static final int REQUEST_BUFFER_BYTES = 24 * 1024;

    private static final Logger log = LoggerFactory.getLogger(TlsListener.class);

    private final TlsConfig config;
    private final InstantSource wallClock;
    private final TlsMetrics metrics;
    private final HandshakeGuard handshakes;
    private final SslContextFactory.Server factory;
    private final WatchedFiles files;
    private volatile CertificateKeys certificateKeys = CertificateKeys.NONE;

    public TlsListener(TlsConfig config, NanoClock clock, InstantSource wallClock, TlsMetrics metrics) {
        this.config = config;
        this.wallClock = wallClock;
        this.metrics = metrics;
        this.handshakes = new HandshakeGuard(clock, config.handshakeTimeout(), config.maxHandshakes(), metrics);
        this.files = new WatchedFiles(paths(config), this::take, metrics.certificate(), log);
        this.factory = new SslContextFactory.Server() {
            @Override
            public void customize(SSLEngine engine) {
                super.customize(engine);
                config.provider().prepare(engine);
            }
        };
        factory.setIncludeProtocols("TLSv1.3", "TLSv1.2");
        // A client could ask for it at any time, and it costs the host more than the client.
        factory.setRenegotiationAllowed(false);
        ClientCertificates clients = config.clients();
        factory.setWantClientAuth(clients != null && !clients.needed());
        factory.setNeedClientAuth(clients != null && clients.needed());
    }

    private static List<Path> paths(TlsConfig config) {
        List<Path> paths = new ArrayList<>(config.files().paths());
        ClientCertificates clients = config.clients();
        if (clients != null) {
            paths.add(clients.authorities().file());
            paths.add(clients.keys());
        }
        return paths;
    }

    /** What is in the files. */
    private record Read(ServerCertificate certificate, SSLContext context, CertificateKeys keys) {}

    private Read read(List<byte[]> contents) throws IOException {
        int own = config.files().paths().size();
        ServerCertificate certificate = config.files().parse(contents.subList(0, own));
        ClientCertificates clients = config.clients();
        return clients == null
                ? new Read(certificate, certificate.context(config.provider(), null), CertificateKeys.NONE)
                : new Read(
                        certificate,
                        certificate.context(
                                config.provider(), clients.authorities().parse(contents.get(own))),
                        CertificateKeys.parse(clients.keys(), contents.get(own + 1)));
    }

    public TlsConfig config() {
        return config;
    }

    /** Which keys the certificates of clients stand for. Safe for use by any thread. */
    public CertificateKeys certificateKeys() {
        return certificateKeys;
    }

    /** Is to be told of the connections, and to be swept. */
    public HandshakeGuard handshakes() {
        return handshakes;
    }

    /** What Jetty makes connections with. */
    public SslConnectionFactory connections() {
        SslConnectionFactory connections = new SslConnectionFactory(factory, HttpVersion.HTTP_1_1.asString());
        connections.setDirectBuffersForEncryption(usesDirectBuffers());
        connections.setDirectBuffersForDecryption(usesDirectBuffers());
        return connections;
    }

    /** Where the buffers should be: an implementation copies what comes in buffers of the other kind. */
    public boolean usesDirectBuffers() {
        return config.provider().copiesHeapBuffers();
    }

    /**
     * Reads the certificate for the first time.
     *
     * @throws IOException with a sentence for the operator if it cannot be used
     */
    public void open() throws IOException {
        Read read = read(files.open());
        ServerCertificate certificate = read.certificate;
        if (!certificate.isValidAt(wallClock.instant())) {
            log.warn("Clients will refuse the certificate for {}: {}", certificate.subject(), validity(certificate));
        }
        factory.setSslContext(read.context);
        certificateKeys = read.keys;
        metrics.certificate().inUse(certificate);
        log.info("TLS with the certificate for {}, {}", certificate.subject(), validity(certificate));
    }

    /** Looks at the files, and takes a new certificate if there is one. Never throws. */
    public void look() {
        files.look();
    }

    private void take(List<byte[]> contents) throws Exception {
        Read read = read(contents);
        ServerCertificate certificate = read.certificate;
        Instant now = wallClock.instant();
        if (!certificate.isValidAt(now)) {
            throw new IOException("The certificate for %s is %s, and it is %s."
                    .formatted(certificate.subject(), validity(certificate), now));
        }
        factory.reload(each -> each.setSslContext(read.context));
        certificateKeys = read.keys;
        metrics.certificate().inUse(certificate);
        log.info("New connections get the new certificate for {}, {}", certificate.subject(), validity(certificate));
    }

    private static String validity(ServerCertificate certificate) {
        return "valid from %s to %s".formatted(certificate.beginsAt(), certificate.expiresAt());
    }
}
