/**
 * Consumer groups: which workers live, which partitions they hold, and which offsets they have committed. The state of a group
 * is in memory at the host that owns one partition of the gateway's own topic {@code __consumer_groups}, and each change of it
 * is a message there. Entry types: {@link io.talosgateway.rest.consumergroup.ConsumerGroups} for whoever asks, {@link
 * io.talosgateway.rest.consumergroup.GroupCoordinator} at the owner.
 */
@NullMarked
package io.talosgateway.rest.consumergroup;

import org.jspecify.annotations.NullMarked;
