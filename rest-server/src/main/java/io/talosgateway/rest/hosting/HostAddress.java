package io.talosgateway.rest.hosting;

/**
 * Where this host is reached.
 *
 * @param endpoint {@code host:port} for clients
 * @param peerAddress {@code host:port} for other hosts; empty if there are none
 */
public record HostAddress(String endpoint, String peerAddress) {}
