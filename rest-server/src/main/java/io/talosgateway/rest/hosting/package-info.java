/**
 * The partitions that this host serves: taking them over, letting them go. Joins coordination (who owns what) and journal
 * (where it is). Entry type {@link io.talosgateway.rest.hosting.HostedPartitions}.
 *
 * <p>Threads that run here: one, which makes all changes; any thread looks partitions up.
 */
@NullMarked
package io.talosgateway.rest.hosting;

import org.jspecify.annotations.NullMarked;
