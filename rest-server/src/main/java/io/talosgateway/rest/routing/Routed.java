package io.talosgateway.rest.routing;

/**
 * A result and where it came from.
 *
 * @param forwarded whether another host, the owner, has served the request
 */
public record Routed<T>(T result, boolean forwarded) {}
