package io.talosgateway.rest.bootstrap.rehearsal;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.util.HashMap;
import java.util.Map;

import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;

import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.jspecify.annotations.Nullable;

/** The connection of one client of a rehearsal, plain or over TLS. For one thread; each call blocks. */
final class RehearsalConnection {

    /** The first requests are slow, and slower on a busy machine. */
    private static final int TIMEOUT_MS = 4_000;

    private final String endpoint;
    private @Nullable SSLSocketFactory sockets;

    /** @param endpoint of the gateway that is rehearsed, {@code http} or {@code https}, on loopback */
    RehearsalConnection(String endpoint) {
        this.endpoint = endpoint;
    }

    /** As {@link #ask}, and the last request of this connection. */
    byte[] askAndClose(String path, @Nullable String type, byte @Nullable [] body, Map<String, String> headers)
            throws IOException {
        Map<String, String> closing = new HashMap<>(headers);
        closing.put("Connection", "close");
        byte[] answer = ask(path, type, body, closing);
        // With its sessions: after a restart, the clients make whole handshakes.
        sockets = null;
        return answer;
    }

    /** Returns the body of the answer. */
    byte[] ask(String path, @Nullable String type, byte @Nullable [] body, Map<String, String> headers)
            throws IOException {
        HttpURLConnection connection =
                (HttpURLConnection) URI.create(endpoint + path).toURL().openConnection(Proxy.NO_PROXY);
        if (connection instanceof HttpsURLConnection https) {
            https.setSSLSocketFactory(sockets());
            https.setHostnameVerifier((name, session) -> true);
        }
        connection.setConnectTimeout(TIMEOUT_MS);
        connection.setReadTimeout(TIMEOUT_MS);
        headers.forEach(connection::setRequestProperty);
        if (body != null) {
            connection.setRequestProperty("Content-Type", type);
            connection.setDoOutput(true);
            connection.setFixedLengthStreamingMode(body.length);
            try (OutputStream out = connection.getOutputStream()) {
                out.write(body);
            }
        }
        try (InputStream in = connection.getInputStream()) {
            return in.readAllBytes();
        }
    }

    private SSLSocketFactory sockets() {
        SSLSocketFactory known = sockets;
        if (known == null) {
            known = newSockets();
            sockets = known;
        }
        return known;
    }

    private static SSLSocketFactory newSockets() {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            // The server is this process.
            context.init(null, SslContextFactory.TRUST_ALL_CERTS, null);
            return context.getSocketFactory();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("This Java has no TLS", e);
        }
    }
}
