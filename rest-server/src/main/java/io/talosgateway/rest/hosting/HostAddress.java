package io.talosgateway.rest.hosting;

/**
 * Where this host is reached.
 *
 * @param endpoint for clients: {@code host:port} if it speaks plain HTTP, {@code https://host:port} if it speaks TLS only
 * @param peerAddress {@code host:port} for other hosts; empty if there are none
 */
public record HostAddress(String endpoint, String peerAddress) {}
