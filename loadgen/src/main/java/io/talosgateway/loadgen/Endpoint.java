package io.talosgateway.loadgen;

import java.net.InetSocketAddress;
import java.net.URI;

import org.jspecify.annotations.Nullable;

/** Where a gateway takes requests: {@code http://host:port}. */
public record Endpoint(URI uri) {

    private static final int DEFAULT_PORT = 80;

    /** @throws LoadFailure with a sentence for the user if it is none */
    public Endpoint {
        if (!"http".equals(uri.getScheme()) || uri.getHost() == null) {
            throw new LoadFailure("'%s' is not an address like http://host:8080 (the load generator speaks plain HTTP)"
                    .formatted(uri));
        }
    }

    /** Where to connect to. */
    public InetSocketAddress address() {
        return new InetSocketAddress(uri.getHost(), uri.getPort() < 0 ? DEFAULT_PORT : uri.getPort());
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
