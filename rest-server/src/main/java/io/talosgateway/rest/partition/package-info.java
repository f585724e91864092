/**
 * What can be done with a partition: {@link io.talosgateway.rest.partition.PartitionService}, its requests and its results. Four
 * implementations: {@code quota.QuotaPartitionService} compares what clients ask for with quotas, {@code serving.LocalPartitionService} serves what this host owns, {@code forwarding.thrift.RemoteHost} asks
 * one other host, and {@code routing.RoutedPartitionService} finds out which of them to ask.
 */
@NullMarked
package io.talosgateway.rest.partition;

import org.jspecify.annotations.NullMarked;
