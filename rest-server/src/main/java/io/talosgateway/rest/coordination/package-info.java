/**
 * What the hosts of a cluster agree on: which topics there are ({@link io.talosgateway.rest.coordination.TopicRegistry}),
 * who owns which partition since when and where its messages are
 * ({@link io.talosgateway.rest.coordination.OwnershipRecords}), and which hosts there are
 * ({@link io.talosgateway.rest.coordination.Hosts}). Ports; the adapter is in {@code coordination.zookeeper}.
 */
@NullMarked
package io.talosgateway.rest.coordination;

import org.jspecify.annotations.NullMarked;
