package io.talosgateway.rest.http.ops;

import java.util.Set;

import io.talosgateway.rest.http.HttpConfig;

/**
 * Who may use the operations port, and how.
 *
 * @param listen where it listens
 * @param tls whether it speaks TLS, with the certificate of clients
 * @param requireKey whether metrics and the reasons of readiness need the key of an administrator
 * @param console whether it serves the console, and the JSON interface to it
 * @param allowedHosts names with a dot by which it may be called, in lower case
 */
public record OpsConfig(HttpConfig listen, boolean tls, boolean requireKey, boolean console, Set<String> allowedHosts) {

    public OpsConfig {
        allowedHosts = Set.copyOf(allowedHosts);
    }
}
