/**
 * What hosts say to each other, for both ends: frames, the handshake by the secret of the cluster, requests and results as Thrift,
 * TLS. {@code forwarding.thrift} asks, {@code peer} answers.
 */
@NullMarked
package io.talosgateway.rest.hostprotocol;

import org.jspecify.annotations.NullMarked;
