package io.talosgateway.rest.http.tls;

import java.time.Duration;

import io.talosgateway.rest.tls.CertificateFiles;
import io.talosgateway.rest.tls.TlsProvider;
import org.jspecify.annotations.Nullable;

/**
 * How clients are served over TLS.
 *
 * @param port port to listen at, at the address of plain HTTP; 0 for one of the system's choosing
 * @param files where the certificate and its key are
 * @param provider whose TLS it is
 * @param reloadInterval how often the files are looked at
 * @param handshakeTimeout how long a handshake may take
 * @param maxHandshakes most connections whose handshake is not done; further ones are closed
 * @param advertise {@code host:port} at which clients reach this host over TLS; null for where it listens
 * @param clients null if clients are not asked for certificates
 */
public record TlsConfig(
        int port,
        CertificateFiles files,
        TlsProvider provider,
        Duration reloadInterval,
        Duration handshakeTimeout,
        int maxHandshakes,
        @Nullable String advertise,
        @Nullable ClientCertificates clients) {

    public TlsConfig {
        check(port >= 0 && port <= 65_535, "tls.port must be 0 to 65535", port);
        check(reloadInterval.toMillis() >= 1, "tls.reload-interval must be positive", reloadInterval);
        check(handshakeTimeout.toMillis() >= 1, "tls.handshake-timeout must be positive", handshakeTimeout);
        check(maxHandshakes >= 1, "tls.max-handshakes must be positive", maxHandshakes);
    }

    /** The same certificate at another port, where clients are not asked for theirs. */
    public TlsConfig elsewhere(int otherPort) {
        return new TlsConfig(otherPort, files, provider, reloadInterval, handshakeTimeout, maxHandshakes, null, null);
    }

    private static void check(boolean holds, String rule, Object value) {
        if (!holds) {
            throw new IllegalArgumentException(rule + ": " + value);
        }
    }
}
