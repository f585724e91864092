/**
 * What the hosts of a cluster agree on: which topics there are ({@link io.talosgateway.rest.coordination.TopicRegistry}),
 * who owns which partition since when and where its messages are
 * ({@link io.talosgateway.rest.coordination.OwnershipRecords}), which hosts there are
 * ({@link io.talosgateway.rest.coordination.Hosts}), among which of them the partitions are divided
 * ({@link io.talosgateway.rest.coordination.PlacementRecord}), which one says so
 * ({@link io.talosgateway.rest.coordination.Election}), and which keys clients may sign with
 * ({@link io.talosgateway.rest.coordination.KeyRecords}). Ports; the adapter is in {@code coordination.zookeeper}.
 */
@NullMarked
package io.talosgateway.rest.coordination;

import org.jspecify.annotations.NullMarked;
