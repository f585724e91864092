/**
 * Coordination through ZooKeeper: an external ensemble, or a server inside this process. Entry type
 * {@link io.talosgateway.rest.coordination.zookeeper.ZooKeeperCoordination}. The only user of Curator and ZooKeeper.
 *
 * <pre>
 *  {root}/cluster                        the cluster's id
 *  {root}/topics/{name}                  a topic's metadata
 *  {root}/partitions/{topic id}/{number} a partition's ownership record
 *  {root}/incarnations/{host}            number of the host's latest incarnation
 *  {root}/hosts/{host}                   ephemeral: the host is alive
 * </pre>
 *
 * <p>Threads that run here: those of Curator and of the embedded server, and one that renews the read lease.
 */
@NullMarked
package io.talosgateway.rest.coordination.zookeeper;

import org.jspecify.annotations.NullMarked;
