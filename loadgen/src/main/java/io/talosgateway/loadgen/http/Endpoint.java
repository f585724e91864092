package io.talosgateway.loadgen.http;

import java.net.InetSocketAddress;
import java.net.URI;

import io.talosgateway.loadgen.cli.Credentials;
import io.talosgateway.loadgen.cli.LoadFailure;
import org.jspecify.annotations.Nullable;

/**
 * Where a gateway takes requests: {@code http://host:port}, or {@code https://host:port}.
 *
 * @param tls null for plain HTTP
 */
public record Endpoint(URI uri, @Nullable Tls tls) {

    private static final int DEFAULT_PORT = 80;
    private static final int DEFAULT_TLS_PORT = 443;

    /** @throws LoadFailure with a sentence for the user if it is none */
    public Endpoint {
        boolean known = "http".equals(uri.getScheme()) || (tls != null && "https".equals(uri.getScheme()));
        if (!known || uri.getHost() == null) {
            throw new LoadFailure("'%s' is not an address like http://host:8080%s"
                    .formatted(uri, tls == null ? " (here, the load generator speaks plain HTTP)" : ""));
        }
    }

    /** One of plain HTTP. */
    public Endpoint(URI uri) {
        this(uri, null);
    }

    /** One of plain HTTP or of HTTPS, as the address says. */
    public static Endpoint of(URI uri, Tls trust) {
        return "http".equals(uri.getScheme()) ? new Endpoint(uri) : new Endpoint(uri, trust);
    }

    /** Where to connect to. */
    public InetSocketAddress address() {
        return new InetSocketAddress(uri.getHost(), port());
    }

    private int port() {
        if (uri.getPort() >= 0) {
            return uri.getPort();
        }
        return tls == null ? DEFAULT_PORT : DEFAULT_TLS_PORT;
    }

    /** What goes over connections to it. */
    public Wire.Factory wires() {
        return tls == null ? Wire::plain : channel -> tls.over(channel, uri.getHost(), port());
    }

    /** The lines that every request has after its request line, without the empty one that ends them. */
    public String headers(@Nullable Credentials credentials) {
        String authorization = credentials == null ? "" : "Authorization: " + credentials.authorization() + "\r\n";
        return "Host: " + uri.getRawAuthority() + "\r\n" + authorization;
    }

    @Override
    public String toString() {
        return uri.toString();
    }
}
