package io.talosgateway.rest.hostprotocol;

/**
 * Who this host is to the others.
 *
 * @param clusterId the cluster that it belongs to
 * @param host its name in the cluster
 * @param secret what proves it
 */
public record HostIdentity(String clusterId, String host, ClusterSecret secret) {}
