/**
 * A cluster on one machine: ZooKeeper, a NameNode, DataNodes and gateways, each a process of its own on loopback, or with
 * gateways in network namespaces ({@link io.talosgateway.localcluster.Network}). Begin
 * reading at {@link io.talosgateway.localcluster.LocalCluster}; {@link io.talosgateway.localcluster.RunningCluster} is what is
 * remembered of one, {@link io.talosgateway.localcluster.ClusterHosts} its processes.
 *
 * <p>A command does its work on its main thread and ends; the hosts live on. Which of them run is read from the system's
 * list of processes each time.
 */
@NullMarked
package io.talosgateway.localcluster;

import org.jspecify.annotations.NullMarked;
