package io.talosgateway.rest.http;

import java.time.Duration;
import java.util.Set;
import java.util.regex.Pattern;

import io.talosgateway.rest.config.DataSize;

/**
 * How clients are served.
 *
 * @param enabled whether plain HTTP is spoken; false only if TLS is
 * @param host address to listen at
 * @param port port of plain HTTP to listen at; 0 for one of the system's choosing
 * @param threads most Jetty threads
 * @param maxConnections most connections; further ones wait to be accepted
 * @param maxConnectionsPerAddress most connections of one address; further ones are closed at once
 * @param idleTimeout how long a connection may be silent, but for requests that wait for messages
 * @param headerTimeout how long the headers of a request may take to arrive
 * @param bodyTimeout how long the body of a request may take to arrive
 * @param minRate bytes a second that a client sends of a body, and takes of an answer, at least
 * @param requestTimeout when a request is answered at the latest, unless it waits for messages
 * @param allowedOrigins pages of other hosts that may change something, such as {@code https://console.example}
 */
public record HttpConfig(
        boolean enabled,
        String host,
        int port,
        int threads,
        int maxConnections,
        int maxConnectionsPerAddress,
        Duration idleTimeout,
        Duration headerTimeout,
        Duration bodyTimeout,
        DataSize minRate,
        Duration requestTimeout,
        Set<String> allowedOrigins) {

    private static final Pattern ORIGIN = Pattern.compile("https?://[a-z0-9.\\-\\[\\]:]+");

    public HttpConfig {
        check(port >= 0 && port <= 65_535, "http.port must be 0 to 65535", port);
        check(threads >= 4, "http.threads must be at least 4", threads);
        check(maxConnections >= 1, "http.max-connections must be positive", maxConnections);
        check(
                maxConnectionsPerAddress >= 1,
                "http.max-connections-per-address must be positive",
                maxConnectionsPerAddress);
        check(idleTimeout.toMillis() >= 1, "http.idle-timeout must be positive", idleTimeout);
        check(headerTimeout.toMillis() >= 1, "http.header-timeout must be positive", headerTimeout);
        check(bodyTimeout.toMillis() >= 1, "http.body-timeout must be positive", bodyTimeout);
        check(minRate.toBytes() >= 1, "http.min-rate must be positive", minRate);
        check(requestTimeout.toMillis() >= 1, "http.request-timeout must be positive", requestTimeout);
        allowedOrigins = Set.copyOf(allowedOrigins);
        allowedOrigins.forEach(origin -> check(
                ORIGIN.matcher(origin).matches(),
                "http.allowed-origins must be origins in lower case such as https://console.example, separated by commas",
                origin));
    }

    private static void check(boolean holds, String rule, Object value) {
        if (!holds) {
            throw new IllegalArgumentException(rule + ": " + value);
        }
    }
}
